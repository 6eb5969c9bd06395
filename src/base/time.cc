#include "base/time.h"

#include <charconv>

namespace portico {
namespace {

// Reads `digits` digits at `at`; -1 if they are not all there.
int number(std::string_view text, std::size_t at, std::size_t digits) {
  if (at + digits > text.size()) return -1;
  int value = 0;
  for (std::size_t i = at; i < at + digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

}  // namespace

std::string rfc3339(TimePoint time) {
  const auto days = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time) - days);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

Result<TimePoint> parse_rfc3339(std::string_view text) {
  const auto bad = [&] { return invalid("\"{}\" is not an RFC 3339 time", text); };
  const int year = number(text, 0, 4), month = number(text, 5, 2), day = number(text, 8, 2);
  const int hour = number(text, 11, 2), minute = number(text, 14, 2), second = number(text, 17, 2);
  if (year < 0 || month < 1 || day < 1 || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
      second < 0 || second > 60 || text[4] != '-' || text[7] != '-' || text[13] != ':' ||
      text[16] != ':' || (text[10] != 'T' && text[10] != 't'))
    return bad();
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return bad();

  std::size_t at = 19;
  int millis = 0;
  if (at < text.size() && text[at] == '.') {
    int scale = 100;
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, scale /= 10)
      millis += (text[at] - '0') * scale;
  }
  if (at >= text.size()) return bad();
  int offset_minutes = 0;
  if (text[at] == '+' || text[at] == '-') {
    const int hours = number(text, at + 1, 2), minutes = number(text, at + 4, 2);
    if (hours < 0 || minutes < 0 || text[at + 3] != ':' || text.size() != at + 6) return bad();
    offset_minutes = (text[at] == '-' ? -1 : 1) * (hours * 60 + minutes);
  } else if ((text[at] != 'Z' && text[at] != 'z') || text.size() != at + 1) {
    return bad();
  }
  return TimePoint(std::chrono::sys_days(date)) + std::chrono::hours(hour) +
         std::chrono::minutes(minute - offset_minutes) + std::chrono::seconds(second) +
         std::chrono::milliseconds(millis);
}

}  // namespace portico
