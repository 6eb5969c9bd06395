// Timestamps and durations: text, calendar, arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace portico::cel {

/// Return error values if the result is outside 0001-01-01T00:00:00Z to
/// 9999-12-31T23:59:59.999999999Z or, for durations, does not fit into 64 bits of nanoseconds
/// (about 292 years).
Value timestamp_of(std::int64_t seconds, std::int64_t nanos);
Value duration_of(std::int64_t seconds, std::int64_t nanos);
Value add_durations(std::int64_t a, std::int64_t b, int sign);
Value add_to_time(Timestamp time, std::int64_t duration, int sign);
Value time_between(Timestamp from, Timestamp to);

/// Parses RFC 3339: "2009-02-13T23:31:30.5Z", "...+01:00". An error value for anything else.
Value parse_timestamp(std::string_view text);
/// RFC 3339 in UTC, with a fraction without trailing zeros.
std::string timestamp_text(Timestamp time);

/// Parses "1h30m", "-1.5s", "100ms", "0"; units h, m, s, ms, us, ns. Else an error value.
Value parse_duration(std::string_view text);
/// Seconds: "5400s", "-1.5s", "0.000000002s".
std::string duration_text(std::int64_t nanoseconds);

struct Calendar {
  std::int64_t year = 1970;
  int month = 1;        // 1..12
  int day = 1;          // 1..31
  int day_of_year = 0;  // 0..365
  int weekday = 4;      // 0 is Sunday
  int hour = 0;
  int minute = 0;
  int second = 0;
};
Calendar calendar_of(std::int64_t seconds);

/// Days from 1970-01-01 to a date of the Gregorian calendar.
std::int64_t days_from_date(std::int64_t year, int month, int day);

}  // namespace portico::cel
