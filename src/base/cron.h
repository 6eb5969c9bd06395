// Cron schedules: "0 */2 * * mon-fri". Pure: computes times, does not run anything.
#pragma once

#include <bitset>
#include <chrono>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace portico {

/// Five fields (minute, hour, day of the month, month, day of the week 0 to 6 from Sunday):
/// numbers, month and day names, "*" or "?", ranges, steps, lists. If both day fields are
/// restricted, a day that matches either one counts. Also "@hourly", "@daily", "@midnight",
/// "@weekly", "@monthly", "@yearly", "@annually", and "@every 1h30m" (whole seconds, at least one).
/// Times are UTC.
class CronSchedule {
 public:
  /// Returns kInvalid with the name of the field. A day that never occurs (30 February) is invalid
  /// too.
  static Result<CronSchedule> parse(std::string_view text);

  /// The first time after `time`.
  TimePoint next(TimePoint time) const;

 private:
  std::optional<TimePoint> find(TimePoint time) const;
  bool matches(std::chrono::sys_days day) const;

  std::chrono::seconds every_{0};  // from "@every"; 0: the fields apply
  std::bitset<60> minutes_;
  std::bitset<24> hours_;
  std::bitset<32> days_;
  std::bitset<13> months_;
  std::bitset<7> weekdays_;
  bool any_day_ = false, any_weekday_ = false;
};

}  // namespace portico
