#include "semver/constraint.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "semver/internal/parts.h"

namespace portico::semver {

using internal::number;
using internal::prerelease_of;
using internal::split;

namespace {

constexpr std::size_t kLongest = 512;
constexpr std::size_t kMostGroups = 32;
constexpr std::string_view kBlanks = " \t\n\f\r";
constexpr std::string_view kOperators = "=!<>~^";

/// The lowest of all versions with these three numbers is their prerelease "0".
Version lowest(std::uint64_t major, std::uint64_t minor, std::uint64_t patch) {
  return {major, minor, patch, {"0"}};
}

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

/// The first version above all that share the major number (or major and minor, or all three
/// numbers); nullopt above the highest.
std::optional<Version> after_major(const Version& version) {
  if (version.major == kMost) return std::nullopt;
  return lowest(version.major + 1, 0, 0);
}
std::optional<Version> after_minor(const Version& version) {
  if (version.minor == kMost) return after_major(version);
  return lowest(version.major, version.minor + 1, 0);
}
std::optional<Version> after_patch(const Version& version) {
  if (version.patch == kMost) return after_minor(version);
  return lowest(version.major, version.minor, version.patch + 1);
}

/// The immediate successor in version order.
std::optional<Version> next(Version version) {
  if (version.is_release()) return after_patch(version);
  version.prerelease.emplace_back("0");
  return version;
}

}  // namespace

/// An operator and a version in which numbers may be omitted.
struct Constraint::Part {
  std::string_view op;
  Version version;
  std::size_t numbers = 3;  // how many are present; those after a wildcard do not count

  /// The versions that the operator allows. Without any number ("*"), Masterminds applies the rules
  /// of version 0.0.0, except for "=" and "~", which allow everything.
  Ranges ranges() const {
    const auto from = [](Version first, std::optional<Version> below) {
      return Ranges{{std::move(first), std::move(below)}};
    };
    const auto from_maybe = [&](std::optional<Version> first) {
      return first ? from(*std::move(first), std::nullopt) : Ranges{};
    };
    const Version first = lowest(0, 0, 0);
    if (op == "=" || op.empty()) return numbers == 3 ? from(version, next(version)) : tilde();
    if (op == "!=") {
      Ranges out = from(first, numbers == 1 || numbers == 2 ? lowest_of_numbers() : version);
      for (Range& range : from_maybe(after())) out.push_back(std::move(range));
      return out;
    }
    if (op == ">") return from_maybe(after());
    if (op == ">=" || op == "=>") return from(version, std::nullopt);
    if (op == "<") return from(first, version);
    if (op == "<=" || op == "=<") return from(first, numbers == 0 ? lowest(0, 1, 0) : after());
    if (op == "^") return from(version, caret_end());
    return tilde();
  }

 private:
  Version lowest_of_numbers() const { return lowest(version.major, version.minor, version.patch); }

  /// The first version above all versions that the part stands for.
  std::optional<Version> after() const {
    if (numbers == 1) return after_major(version);
    if (numbers == 2) return after_minor(version);
    return next(version);
  }

  Ranges tilde() const {
    const bool zero = version.major == 0 && version.minor == 0 && version.patch == 0;
    // Masterminds reads "~0.0.0" as "~*", which allows everything.
    if (zero && (numbers == 0 || numbers == 3)) return {{version, std::nullopt}};
    return {{version, numbers == 1 ? after_major(version) : after_minor(version)}};
  }

  std::optional<Version> caret_end() const {
    if (version.major > 0 || numbers == 1) return after_major(version);
    if (version.minor > 0 || numbers == 2) return after_minor(version);
    return after_patch(version);
  }
};

/// Parses one group.
class Constraint::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), rest_(text) {}

  Result<Ranges> group(Prereleases prereleases) {
    std::vector<Part> parts;
    bool range_may_begin = true;
    do {
      PORTICO_TRY(Part part, this->part());
      parts.push_back(std::move(part));
      const bool is_range = range_may_begin && parts.back().op.empty() && takes_hyphen();
      if (is_range) {
        parts.back().op = ">=";
        PORTICO_TRY(Part end, this->part());
        if (!end.op.empty()) return wrong();
        end.op = "<=";
        parts.push_back(std::move(end));
      }
      const std::size_t before = rest_.size();
      skip_blanks();
      const bool comma = rest_.starts_with(',');
      if (comma) rest_.remove_prefix(1);
      if (rest_.empty() ? comma : before == rest_.size()) return wrong();
      range_may_begin = comma || is_range;
    } while (!rest_.empty());

    const bool all = prereleases == Prereleases::kAll ||
                     std::any_of(parts.begin(), parts.end(),
                                 [](const Part& part) { return !part.version.is_release(); });
    Ranges out{{lowest(0, 0, 0), std::nullopt, all}};
    for (const Part& part : parts) {
      Ranges ranges = part.ranges();
      for (Range& range : ranges) range.prereleases = all;
      out = both(out, ranges);
    }
    return out;
  }

 private:
  Error wrong() const {
    return invalid("invalid version constraint \"{}\" (examples: ^2.1, ~1.2.3, >=1.4, 1.x)", text_);
  }

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
  }

  std::string_view take(std::size_t size) {
    const std::string_view out = rest_.substr(0, std::min(size, rest_.size()));
    rest_.remove_prefix(out.size());
    return out;
  }

  /// Consumes the '-' of "a - b", with blanks on both sides.
  bool takes_hyphen() {
    const std::string_view before = rest_;
    skip_blanks();
    if (rest_.size() < before.size() && rest_.size() > 1 && rest_[0] == '-' &&
        kBlanks.find(rest_[1]) != std::string_view::npos) {
      rest_.remove_prefix(1);
      return true;
    }
    rest_ = before;
    return false;
  }

  Result<Part> part() {
    skip_blanks();
    Part out;
    out.op = take(rest_.find_first_not_of(kOperators));
    constexpr std::string_view kKnown[] = {
        "", "=", "!=", ">", "<", ">=", "=>", "<=", "=<", "~", "~>", "^"};
    if (std::find(std::begin(kKnown), std::end(kKnown), out.op) == std::end(kKnown)) return wrong();
    skip_blanks();
    std::string_view version = take(rest_.find_first_of(" \t\n\f\r,"));
    if (version.starts_with('v')) version.remove_prefix(1);
    const std::size_t end = std::min(version.find_first_of("-+"), version.size());
    auto prerelease = prerelease_of(version.substr(end));
    const std::vector<std::string_view> words = split(version.substr(0, end), '.');
    if (!prerelease || words.size() > 3) return wrong();
    out.version.prerelease = *std::move(prerelease);
    std::uint64_t* const numbers[] = {&out.version.major, &out.version.minor, &out.version.patch};
    out.numbers = 0;
    bool wild = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool wildcard = words[i] == "x" || words[i] == "X" || words[i] == "*";
      const auto value = number(words[i]);
      if (!wildcard && !value) return wrong();
      wild = wild || wildcard;
      if (wild) continue;
      *numbers[i] = *value;
      ++out.numbers;
    }
    return out;
  }

  const std::string_view text_;
  std::string_view rest_;
};

Result<Constraint> Constraint::parse(std::string_view text, Prereleases prereleases) {
  if (text.size() > kLongest)
    return invalid("a version constraint has at most {} characters, found {}", kLongest,
                   text.size());
  Constraint out;
  for (std::size_t groups = 1;; ++groups) {
    if (groups > kMostGroups)
      return invalid("a version constraint has at most {} groups", kMostGroups);
    const std::size_t bars = text.find("||");
    PORTICO_TRY(const Ranges ranges, Parser(text.substr(0, bars)).group(prereleases));
    out.ranges_.insert(out.ranges_.end(), ranges.begin(), ranges.end());
    if (bars == std::string_view::npos) return out;
    text.remove_prefix(bars + 2);
  }
}

/// Drops empty ranges.
Constraint::Ranges Constraint::both(const Ranges& a, const Ranges& b) {
  Ranges out;
  for (const Range& one : a) {
    for (const Range& other : b) {
      Range range{std::max(one.from, other.from), one.below ? one.below : other.below,
                  one.prereleases && other.prereleases};
      if (one.below && other.below) range.below = std::min(*one.below, *other.below);
      Version first = range.from;
      if (!range.prereleases) first.prerelease.clear();
      if (!range.below || first < *range.below) out.push_back(std::move(range));
    }
  }
  return out;
}

bool Constraint::allows(const Version& version) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
    return (range.prereleases || version.is_release()) && version >= range.from &&
           (!range.below || version < *range.below);
  });
}

std::optional<Version> Constraint::lowest_common(const Constraint& other) const {
  std::optional<Version> release, any;
  for (const Range& range : both(ranges_, other.ranges_)) {
    Version first = range.from;
    first.prerelease.clear();
    std::optional<Version>& best = range.below && first >= *range.below ? any : release;
    if (&best == &any) first = range.from;
    if (!best || first < *best) best = std::move(first);
  }
  return release ? release : any;
}

}  // namespace portico::semver
