#include "functions/internal/version_constraint.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace portico::functions {

namespace {

constexpr int kMost = 1'000'000'000;
constexpr Version kFirst{0, 0, 0}, kBeyond{kMost, 0, 0};

/// A version with the number of parts that it gives; wildcards and what follows them are not given.
struct Partial {
  Version version{0, 0, 0};
  std::size_t parts = 0;
};

std::optional<Partial> parse_partial(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  Partial result;
  bool open = false;
  for (std::size_t part = 0; part < 3; ++part) {
    if (text.starts_with('x') || text.starts_with('X') || text.starts_with('*')) {
      open = true;
      text.remove_prefix(1);
    } else {
      int number = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || number < 0 || number >= kMost - 1 || open) return std::nullopt;
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
      result.version[part] = number;
      result.parts = part + 1;
    }
    if (text.empty() || text.starts_with('-') || text.starts_with('+')) return result;
    if (!text.starts_with('.')) return std::nullopt;
    text.remove_prefix(1);
  }
  return std::nullopt;
}

/// The first version behind all that have the same first `parts` parts.
Version behind(const Version& version, std::size_t parts) {
  if (parts == 0) return kBeyond;
  Version next{0, 0, 0};
  std::copy_n(version.begin(), parts, next.begin());
  ++next[parts - 1];
  return next;
}

/// ^: up to the next change of the first part that is not zero.
std::size_t caret_parts(const Partial& partial) {
  for (std::size_t part = 0; part < partial.parts; ++part)
    if (partial.version[part] != 0) return part + 1;
  return partial.parts;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find(separator); at != std::string_view::npos;
       at = text.find(separator)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  parts.push_back(text);
  return parts;
}

/// ">= 1.2 < 2, != 1.5" in its parts; blanks behind an operator do not count.
std::vector<std::string> comparisons(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    const bool blank = c == ' ' || c == ',';
    const bool complete = parts.back().find_first_not_of("=!<>~^") != std::string::npos;
    if (blank && complete) {
      parts.emplace_back();
    } else if (!blank) {
      parts.back() += c;
    }
  }
  if (parts.back().empty() && parts.size() > 1) parts.pop_back();
  return parts;
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  const auto partial = parse_partial(text);
  if (!partial || partial->parts != 3) return std::nullopt;
  return partial->version;
}

VersionConstraint::Ranges VersionConstraint::both(const Ranges& a, const Ranges& b) {
  Ranges result;
  for (const Range& one : a) {
    for (const Range& other : b) {
      const Range range{std::max(one.lowest, other.lowest), std::min(one.limit, other.limit)};
      if (range.lowest < range.limit) result.push_back(range);
    }
  }
  return result;
}

std::optional<VersionConstraint::Ranges> VersionConstraint::parse_one(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("=!<>~^"), text.size());
  const std::string_view op = text.substr(0, digits);
  const auto partial = parse_partial(trimmed(text.substr(digits)));
  if (!partial) return std::nullopt;
  const Version first = partial->version, next = behind(first, partial->parts);
  const auto ranges = [](Version lowest, Version limit) { return Ranges{{lowest, limit}}; };
  if (op.empty() || op == "=") return ranges(first, next);
  if (op == "!=") return Ranges{{kFirst, first}, {next, kBeyond}};
  if (op == ">") return ranges(next, kBeyond);
  if (op == ">=" || op == "=>") return ranges(first, kBeyond);
  if (op == "<") return ranges(kFirst, first);
  if (op == "<=" || op == "=<") return ranges(kFirst, next);
  if (op == "~" || op == "~>")
    return ranges(first, behind(first, std::min<std::size_t>(partial->parts, 2)));
  if (op == "^") return ranges(first, behind(first, caret_parts(*partial)));
  return std::nullopt;
}

std::optional<VersionConstraint> VersionConstraint::parse(std::string_view text) {
  if (text.size() > 1000) return std::nullopt;
  VersionConstraint result;
  for (const std::string_view alternative : split(text, "||")) {
    Ranges ranges{{kFirst, kBeyond}};
    const auto ends = split(alternative, " - ");
    std::vector<std::string> all = comparisons(trimmed(alternative));
    if (ends.size() == 2)
      all = {">=" + std::string(trimmed(ends[0])), "<=" + std::string(trimmed(ends[1]))};
    for (const std::string& one : all) {
      const auto more = parse_one(one);
      if (!more) return std::nullopt;
      ranges = both(ranges, *more);
    }
    result.ranges_.insert(result.ranges_.end(), ranges.begin(), ranges.end());
  }
  return result;
}

bool VersionConstraint::allows(const Version& version) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
    return range.lowest <= version && version < range.limit;
  });
}

bool VersionConstraint::meets(const VersionConstraint& other) const {
  return !both(ranges_, other.ranges_).empty();
}

}  // namespace portico::functions
