#include "cel/time.h"

#include <fmt/format.h>

#include <limits>

namespace portico::cel {
namespace {

constexpr std::int64_t kNanos = 1'000'000'000;
constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kFirst = -62'135'596'800;  // 0001-01-01T00:00:00Z
constexpr std::int64_t kLast = 253'402'300'799;   // 9999-12-31T23:59:59Z

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string fraction_text(std::int64_t nanos) {
  if (nanos == 0) return "";
  std::string out = fmt::format(".{:09}", nanos);
  out.erase(out.find_last_not_of('0') + 1);
  return out;
}

// Reads fixed-width digits and marks from the front of a text; remembers errors.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  int digits(std::size_t count) {
    int number = 0;
    for (; count > 0; --count) {
      if (text_.empty() || !is_digit(text_.front())) {
        ok = false;
        return 0;
      }
      number = number * 10 + (text_.front() - '0');
      text_.remove_prefix(1);
    }
    return number;
  }
  bool accept(std::string_view marks) {
    if (text_.empty() || marks.find(text_.front()) == std::string_view::npos) return false;
    last = text_.front();
    text_.remove_prefix(1);
    return true;
  }
  void require(std::string_view marks) { ok = accept(marks) && ok; }
  bool at_digit() const { return !text_.empty() && is_digit(text_.front()); }
  bool done() const { return text_.empty(); }

  bool ok = true;
  char last = '\0';

 private:
  std::string_view text_;
};

int days_in_month(std::int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[month - 1];
}

// The nanoseconds of a duration's unit; 0 if it is not a unit.
std::int64_t unit_size(std::string_view unit) {
  if (unit == "ns") return 1;
  if (unit == "us" || unit == "µs" || unit == "μs") return 1'000;
  if (unit == "ms") return 1'000'000;
  if (unit == "s") return kNanos;
  if (unit == "m") return 60 * kNanos;
  if (unit == "h") return 3600 * kNanos;
  return 0;
}

// Reads one component such as "1.5h" from the front of `text` and adds it to `total`. False if
// there is none or it is too large.
bool add_component(std::string_view& text, __int128& total) {
  constexpr __int128 kTooLarge = static_cast<__int128>(1) << 100;
  __int128 whole = 0;
  std::size_t at = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    whole = whole * 10 + (text[at] - '0');
    if (whole > kTooLarge) return false;
  }
  std::size_t digits = at;
  __int128 part = 0;
  __int128 scale = 1;
  if (at < text.size() && text[at] == '.') {
    for (++at; at < text.size() && is_digit(text[at]); ++at, ++digits) {
      if (scale >= static_cast<__int128>(kNanos) * kNanos) continue;
      part = part * 10 + (text[at] - '0');
      scale *= 10;
    }
  }
  if (digits == 0) return false;
  std::size_t end = at;
  while (end < text.size() && text[end] != '.' && !is_digit(text[end])) ++end;
  const std::int64_t unit = unit_size(text.substr(at, end - at));
  if (unit == 0) return false;
  if (whole > std::numeric_limits<std::int64_t>::max()) return false;
  total += whole * unit + part * unit / scale;
  text.remove_prefix(end);
  return total < kTooLarge;
}

Value duration_or_range(__int128 nanos) {
  if (nanos > std::numeric_limits<std::int64_t>::max() ||
      nanos < std::numeric_limits<std::int64_t>::min())
    return Value::error("duration overflow: out of range");
  return Value::duration(static_cast<std::int64_t>(nanos));
}

}  // namespace

Value timestamp_of(std::int64_t seconds, std::int64_t nanos) {
  const std::int64_t carry = nanos / kNanos - (nanos % kNanos < 0 ? 1 : 0);
  std::int64_t total = 0;
  if (__builtin_add_overflow(seconds, carry, &total) || total < kFirst || total > kLast)
    return Value::error("timestamp overflow: out of range");
  return Value::timestamp({total, static_cast<std::int32_t>(nanos - carry * kNanos)});
}

Value duration_of(std::int64_t seconds, std::int64_t nanos) {
  return duration_or_range(static_cast<__int128>(seconds) * kNanos + nanos);
}

Value add_durations(std::int64_t a, std::int64_t b, int sign) {
  return duration_or_range(static_cast<__int128>(a) + static_cast<__int128>(b) * sign);
}

Value add_to_time(Timestamp time, std::int64_t duration, int sign) {
  const std::int64_t seconds = duration / kNanos;
  const std::int64_t nanos = duration % kNanos;
  return timestamp_of(time.seconds + sign * seconds, time.nanos + sign * nanos);
}

Value time_between(Timestamp from, Timestamp to) {
  return duration_or_range(static_cast<__int128>(to.seconds - from.seconds) * kNanos + to.nanos -
                           from.nanos);
}

Value parse_timestamp(std::string_view text) {
  Reader in(text);
  const int year = in.digits(4);
  in.require("-");
  const int month = in.digits(2);
  in.require("-");
  const int day = in.digits(2);
  in.require("Tt");
  const int hour = in.digits(2);
  in.require(":");
  const int minute = in.digits(2);
  in.require(":");
  const int second = in.digits(2);
  std::int64_t nanos = 0;
  if (in.accept(".")) {
    in.ok = in.ok && in.at_digit();
    for (std::int64_t scale = kNanos / 10; in.at_digit(); scale /= 10)
      nanos += in.digits(1) * scale;
  }
  std::int64_t offset = 0;
  if (in.accept("+-")) {
    const int sign = in.last == '-' ? -1 : 1;
    const int hours = in.digits(2);
    in.require(":");
    const int minutes = in.digits(2);
    in.ok = in.ok && hours < 24 && minutes < 60;
    offset = sign * (hours * 3600 + minutes * 60);
  } else {
    in.require("Zz");
  }
  const bool real = in.ok && in.done() && month >= 1 && month <= 12 && day >= 1 &&
                    day <= days_in_month(year, month) && hour < 24 && minute < 60 && second < 60;
  if (!real) return Value::error(fmt::format("cannot parse \"{}\" as an RFC 3339 timestamp", text));
  const std::int64_t seconds =
      days_from_date(year, month, day) * kDay + hour * 3600 + minute * 60 + second - offset;
  return timestamp_of(seconds, nanos);
}

std::string timestamp_text(Timestamp time) {
  const Calendar at = calendar_of(time.seconds);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", at.year, at.month, at.day, at.hour,
                     at.minute, at.second, fraction_text(time.nanos));
}

Value parse_duration(std::string_view text) {
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == "0") return Value::duration(0);
  __int128 total = 0;
  bool ok = !rest.empty();
  while (ok && !rest.empty()) ok = add_component(rest, total);
  if (!ok) return Value::error(fmt::format("time: invalid duration \"{}\"", text));
  return duration_or_range(negative ? -total : total);
}

std::string duration_text(std::int64_t nanoseconds) {
  const bool negative = nanoseconds < 0;
  const std::uint64_t size = negative ? 0 - static_cast<std::uint64_t>(nanoseconds)
                                      : static_cast<std::uint64_t>(nanoseconds);
  constexpr auto kUnit = static_cast<std::uint64_t>(kNanos);
  return fmt::format("{}{}{}s", negative ? "-" : "", size / kUnit,
                     fraction_text(static_cast<std::int64_t>(size % kUnit)));
}

std::int64_t days_from_date(std::int64_t year, int month, int day) {
  // Years that start in March have the leap day at their end.
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t year_of_era = y - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
         719'468;
}

Calendar calendar_of(std::int64_t seconds) {
  const std::int64_t days = seconds / kDay - (seconds % kDay < 0 ? 1 : 0);
  const auto rest = static_cast<int>(seconds - days * kDay);
  const std::int64_t shifted = days + 719'468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
  const std::int64_t day_of_era = shifted - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t from_march =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * from_march + 2) / 153;
  Calendar out;
  out.day = static_cast<int>(from_march - (153 * month + 2) / 5 + 1);
  out.month = static_cast<int>(month < 10 ? month + 3 : month - 9);
  out.year = year_of_era + era * 400 + (out.month <= 2 ? 1 : 0);
  out.day_of_year = static_cast<int>(days - days_from_date(out.year, 1, 1));
  out.weekday = static_cast<int>(((days + 4) % 7 + 7) % 7);
  out.hour = rest / 3600;
  out.minute = rest / 60 % 60;
  out.second = rest % 60;
  return out;
}

}  // namespace portico::cel
