// Time zone offsets, from POSIX TZ rules and their exceptions.
#include "cel_lib/internal/zones.h"

#include <algorithm>
#include <optional>
#include <span>

#include "cel/time.h"
#include "cel_lib/internal/zone_table.h"

namespace portico::cel_lib::internal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads texts like "CST6CDT,M3.2.0,M11.1.0". They come from our own table, so they are assumed to
// be valid.
class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  bool accept(char mark) {
    if (text_.empty() || text_.front() != mark) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::int64_t number() {
    std::int64_t out = 0;
    for (; !text_.empty() && is_digit(text_.front()); text_.remove_prefix(1))
      out = out * 10 + (text_.front() - '0');
    return out;
  }
  // "EST" or "<+0545>"
  void skip_name() {
    if (accept('<')) {
      text_.remove_prefix(std::min(text_.find('>') + 1, text_.size()));
      return;
    }
    while (!text_.empty() && !is_digit(text_.front()) && text_.front() != '-' &&
           text_.front() != '+' && text_.front() != ',')
      text_.remove_prefix(1);
  }
  // "-10:30", "2", "2:00:00"; in seconds
  std::int64_t time() {
    const bool negative = accept('-');
    if (!negative) accept('+');
    std::int64_t out = number() * 3600;
    if (accept(':')) out += number() * 60;
    if (accept(':')) out += number();
    return negative ? -out : out;
  }
  // The time in `year` when the clocks change, in seconds of local time since 1970.
  std::int64_t change(std::int64_t year) {
    accept(',');
    std::int64_t days = 0;
    if (accept('M')) {
      const auto month = static_cast<int>(number());
      accept('.');
      const std::int64_t week = number();
      accept('.');
      const std::int64_t weekday = number();
      const std::int64_t first = cel::days_from_date(year, month, 1);
      const std::int64_t next = month == 12 ? cel::days_from_date(year + 1, 1, 1)
                                            : cel::days_from_date(year, month + 1, 1);
      const std::int64_t first_weekday = ((first + 4) % 7 + 7) % 7;
      days = first + (weekday - first_weekday + 7) % 7 + (week - 1) * 7;
      if (days >= next) days -= 7;
    } else if (accept('J')) {
      // Counted from 1, ignoring leap days.
      const std::int64_t day = number();
      const bool leap = cel::days_from_date(year, 3, 1) - cel::days_from_date(year, 1, 1) == 60;
      days = cel::days_from_date(year, 1, 1) + day - 1 + (leap && day >= 60 ? 1 : 0);
    } else {
      days = cel::days_from_date(year, 1, 1) + number();
    }
    return days * 86'400 + (accept('/') ? time() : 7200);
  }

 private:
  std::string_view text_;
};

std::int64_t offset_by_rule(std::string_view rule, std::int64_t utc) {
  RuleReader in(rule);
  in.skip_name();
  const std::int64_t standard = -in.time();
  if (in.done()) return standard;
  in.skip_name();
  std::int64_t summer = standard + 3600;
  RuleReader probe = in;
  if (!probe.accept(',')) summer = -in.time();
  const std::int64_t year = cel::calendar_of(utc + standard).year;
  const std::int64_t begins = in.change(year) - standard;
  const std::int64_t ends = in.change(year) - summer;
  // In the southern hemisphere, summer spans the turn of the year.
  const bool in_summer = begins < ends ? utc >= begins && utc < ends : utc >= begins || utc < ends;
  return in_summer ? summer : standard;
}

std::int64_t offset_in(const ZoneRule& zone, std::int64_t utc) {
  const std::span windows = std::span(kZoneWindows).subspan(zone.first_window, zone.windows);
  const auto after = std::upper_bound(
      windows.begin(), windows.end(), utc,
      [](std::int64_t time, const ZoneWindow& window) { return time < window.begin; });
  if (after != windows.begin() && utc < std::prev(after)->end) return std::prev(after)->offset;
  return offset_by_rule(zone.rule, utc);
}

bool has_name(std::string_view names, std::string_view name) {
  for (std::size_t at = names.find(name); at != std::string_view::npos;
       at = names.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || names[at - 1] == ' ') && (end == names.size() || names[end] == ' '))
      return true;
  }
  return false;
}

// "+05:30", "-02:30", "02:00"
std::optional<std::int64_t> fixed_offset(std::string_view zone) {
  const bool negative = zone.starts_with('-');
  if (negative || zone.starts_with('+')) zone.remove_prefix(1);
  if (zone.size() != 5 || zone[2] != ':') return std::nullopt;
  for (const std::size_t i : {0u, 1u, 3u, 4u})
    if (!is_digit(zone[i])) return std::nullopt;
  const std::int64_t hours = (zone[0] - '0') * 10 + (zone[1] - '0');
  const std::int64_t minutes = (zone[3] - '0') * 10 + (zone[4] - '0');
  if (hours > 23 || minutes > 59) return std::nullopt;
  const std::int64_t seconds = hours * 3600 + minutes * 60;
  return negative ? -seconds : seconds;
}

}  // namespace

Result<std::int64_t> zone_offset(std::string_view zone, std::int64_t utc) {
  if (zone.empty() || zone == "UTC" || zone == "Z") return 0;
  if (zone.find(':') != std::string_view::npos) {
    if (const auto offset = fixed_offset(zone)) return *offset;
  } else if (zone.find(' ') == std::string_view::npos) {
    for (const ZoneRule& each : kZoneRules) {
      if (!has_name(each.names, zone)) continue;
      if (each.changed && utc < kZonesKnownFrom)
        return invalid(
            "the clocks of time zone {} are known from 2000-01-01 on only; earlier times need an "
            "offset such as '+01:00'",
            zone);
      return offset_in(each, utc);
    }
  }
  return invalid("unknown time zone {}", zone);
}

}  // namespace portico::cel_lib::internal
