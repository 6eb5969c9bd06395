#include "base/cron.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace portico {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kWeekdays = {"sun", "mon", "tue", "wed",
                                                       "thu", "fri", "sat"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kNamed = {{
    {"@hourly", "0 * * * *"},
    {"@daily", "0 0 * * *"},
    {"@midnight", "0 0 * * *"},
    {"@weekly", "0 0 * * 0"},
    {"@monthly", "0 0 1 * *"},
    {"@yearly", "0 0 1 1 *"},
    {"@annually", "0 0 1 1 *"},
}};
// 29 February recurs after at most eight years.
constexpr int kFarthest = 8 * 366 + 1;
constexpr int kWidest = 1000;  // largest step
constexpr std::size_t kLongest = 1000;

struct FieldRule {
  const char* name;
  int first, last;
  std::span<const std::string_view> words = {};
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words = split(text, ' ');
  std::erase(words, std::string_view());
  return words;
}

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty() || text[0] == '-')
    return std::nullopt;
  return value;
}

Result<int> value_of(std::string_view text, const FieldRule& rule) {
  const auto word = std::find(rule.words.begin(), rule.words.end(), lower(text));
  if (word != rule.words.end()) return static_cast<int>(word - rule.words.begin()) + rule.first;
  const auto value = whole_number(text);
  if (!value || *value < rule.first || *value > rule.last)
    return invalid("\"{}\" is not a valid {}: must be between {} and {}", text, rule.name,
                   rule.first, rule.last);
  return *value;
}

/// Sets the bits of one field; true if the field restricts nothing.
template <std::size_t kSize>
Result<bool> read_field(std::string_view text, const FieldRule& rule, std::bitset<kSize>& out) {
  bool any = false;
  for (const std::string_view item : split(text, ',')) {
    const std::size_t slash = item.find('/');
    const std::string_view range = item.substr(0, slash);
    const bool steps = slash != std::string_view::npos;
    int first = rule.first, last = rule.last, step = 1;
    const bool is_any = range == "*" || range == "?";
    if (!is_any) {
      const std::size_t dash = range.find('-');
      PORTICO_TRY(first, value_of(range.substr(0, dash), rule));
      if (dash != std::string_view::npos) {
        PORTICO_TRY(last, value_of(range.substr(dash + 1), rule));
      } else if (!steps) {
        last = first;
      }
      if (last < first)
        return invalid("invalid {} range \"{}\": the end is before the beginning", rule.name,
                       range);
    }
    if (steps) {
      const auto wide = whole_number(item.substr(slash + 1));
      if (!wide || *wide < 1 || *wide > kWidest)
        return invalid("invalid {} step \"{}\": must be between 1 and {}", rule.name,
                       item.substr(slash + 1), kWidest);
      step = *wide;
    }
    any = any || (is_any && step == 1);
    for (int value = first; value <= last; value += step) out.set(static_cast<std::size_t>(value));
  }
  return any;
}

/// "1h30m", whole seconds.
std::optional<seconds> read_duration(std::string_view text) {
  seconds sum{0};
  constexpr int kMost = 100'000'000;
  while (!text.empty()) {
    const std::size_t digits = text.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos) return std::nullopt;
    const auto value = whole_number(text.substr(0, digits));
    if (!value || *value > kMost) return std::nullopt;
    switch (text[digits]) {
      case 'h':
        sum += hours(*value);
        break;
      case 'm':
        sum += minutes(*value);
        break;
      case 's':
        sum += seconds(*value);
        break;
      default:
        return std::nullopt;
    }
    text.remove_prefix(digits + 1);
  }
  return sum;
}

}  // namespace

Result<CronSchedule> CronSchedule::parse(std::string_view text) {
  if (text.size() > kLongest) return invalid("schedule is too long: {} bytes", text.size());
  CronSchedule schedule;
  std::vector<std::string_view> fields = words_of(text);
  for (const char* zone : {"TZ=", "CRON_TZ="})
    if (!fields.empty() && fields[0].starts_with(zone)) {
      if (fields[0] != std::string(zone) + "UTC")
        return invalid("unsupported time zone \"{}\": schedules are in UTC", fields[0]);
      fields.erase(fields.begin());
      break;
    }
  if (fields.size() == 2 && fields[0] == "@every") {
    const auto every = read_duration(fields[1]);
    if (!every || every->count() < 1)
      return invalid("invalid duration \"{}\": use a value such as 30s or 1h30m", fields[1]);
    schedule.every_ = *every;
    return schedule;
  }
  if (fields.size() == 1) {
    const auto named = std::find_if(kNamed.begin(), kNamed.end(),
                                    [&](const auto& one) { return one.first == fields[0]; });
    if (named != kNamed.end()) fields = words_of(named->second);
  }
  if (fields.size() != 5)
    return invalid(
        "invalid cron schedule \"{}\": must be minute, hour, day of month, month and day of week, "
        "such as \"0 */2 * * *\", or @hourly, @daily, @weekly, @monthly, @yearly, @every 1h30m",
        text);
  PORTICO_DO(read_field(fields[0], {"minute", 0, 59}, schedule.minutes_));
  PORTICO_DO(read_field(fields[1], {"hour", 0, 23}, schedule.hours_));
  PORTICO_TRY(schedule.any_day_, read_field(fields[2], {"day", 1, 31}, schedule.days_));
  PORTICO_DO(read_field(fields[3], {"month", 1, 12, kMonths}, schedule.months_));
  PORTICO_TRY(schedule.any_weekday_,
              read_field(fields[4], {"day of the week", 0, 6, kWeekdays}, schedule.weekdays_));
  if (!schedule.find(TimePoint())) return invalid("schedule \"{}\" never runs", text);
  return schedule;
}

bool CronSchedule::matches(std::chrono::sys_days day) const {
  const std::chrono::year_month_day date(day);
  if (!months_.test(static_cast<unsigned>(date.month()))) return false;
  const bool by_date = days_.test(static_cast<unsigned>(date.day()));
  const bool by_weekday = weekdays_.test(std::chrono::weekday(day).c_encoding());
  return any_day_ || any_weekday_ ? by_date && by_weekday : by_date || by_weekday;
}

std::optional<TimePoint> CronSchedule::find(TimePoint time) const {
  const auto start = std::chrono::floor<minutes>(time) + minutes(1);
  const auto today = std::chrono::floor<days>(start);
  for (int i = 0; i < kFarthest; ++i) {
    const std::chrono::sys_days day = today + days(i);
    if (!matches(day)) continue;
    for (std::size_t hour = 0; hour < hours_.size(); ++hour) {
      if (!hours_.test(hour)) continue;
      for (std::size_t minute = 0; minute < minutes_.size(); ++minute) {
        const auto at = day + hours(hour) + minutes(minute);
        if (minutes_.test(minute) && at >= start) return at;
      }
    }
  }
  return std::nullopt;
}

TimePoint CronSchedule::next(TimePoint time) const {
  if (every_.count() > 0) return std::chrono::floor<seconds>(time) + every_;
  return find(time).value_or(TimePoint::max());  // parse() has checked that there is one
}

}  // namespace portico
