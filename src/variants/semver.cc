#include "variants/semver.h"

#include <algorithm>
#include <charconv>

namespace portico::variants {

namespace {

constexpr std::size_t kLongest = 256;  // of a version or constraint; what is longer is no version

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_identifier_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Dot-separated identifiers; nothing where one is empty or holds another character.
std::optional<std::vector<std::string>> identifiers(std::string_view text) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view one = text.substr(0, dot);
    if (one.empty() || !std::all_of(one.begin(), one.end(), is_identifier_char))
      return std::nullopt;
    out.emplace_back(one);
    if (dot == std::string_view::npos) return out;
    text.remove_prefix(dot + 1);
  }
}

/// A version as it is written, with how many of its numbers were: 0 for "*", 1 for "1" and "1.x".
struct Partial {
  Version version;
  int parts = 0;
};

std::optional<Partial> parse_partial(std::string_view text) {
  Partial out;
  if (text.size() > kLongest) return std::nullopt;
  if (text.starts_with('v') || text.starts_with('V')) text.remove_prefix(1);
  if (const std::size_t plus = text.find('+'); plus != std::string_view::npos) {
    if (!identifiers(text.substr(plus + 1))) return std::nullopt;
    text = text.substr(0, plus);
  }
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    auto prerelease = identifiers(text.substr(dash + 1));
    if (!prerelease) return std::nullopt;
    out.version.prerelease = std::move(*prerelease);
    text = text.substr(0, dash);
  }
  std::uint64_t* const numbers[] = {&out.version.major, &out.version.minor, &out.version.patch};
  bool wild = false;
  for (std::uint64_t* const to : numbers) {
    const std::size_t dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    if (part == "x" || part == "X" || part == "*") {
      wild = true;
    } else {
      const auto value = number(part);
      if (!value || wild) return std::nullopt;
      *to = *value;
      ++out.parts;
    }
    if (dot == std::string_view::npos) {
      if (out.parts < 3 && !out.version.prerelease.empty()) return std::nullopt;
      return out;
    }
    text.remove_prefix(dot + 1);
  }
  return std::nullopt;  // a fourth number
}

/// The first version after all that `partial` stands for: 1.2 -> 1.3.0, 1 -> 2.0.0.
Version after(const Partial& partial) {
  Version next;
  next.major = partial.version.major;
  if (partial.parts == 1) {
    ++next.major;
    return next;
  }
  next.minor = partial.version.minor;
  if (partial.parts == 2) {
    ++next.minor;
    return next;
  }
  next.patch = partial.version.patch + 1;
  return next;
}

}  // namespace

std::strong_ordering Version::operator<=>(const Version& other) const {
  if (const auto order = major <=> other.major; order != 0) return order;
  if (const auto order = minor <=> other.minor; order != 0) return order;
  if (const auto order = patch <=> other.patch; order != 0) return order;
  if (prerelease.empty() || other.prerelease.empty())
    return prerelease.empty() <=> other.prerelease.empty();  // a release comes after all of them
  for (std::size_t i = 0; i < prerelease.size() && i < other.prerelease.size(); ++i) {
    const auto a = number(prerelease[i]), b = number(other.prerelease[i]);
    if (a && b) {
      if (const auto order = *a <=> *b; order != 0) return order;
    } else if (a || b) {
      return a ? std::strong_ordering::less : std::strong_ordering::greater;
    } else if (const int order = prerelease[i].compare(other.prerelease[i]); order != 0) {
      return order <=> 0;
    }
  }
  return prerelease.size() <=> other.prerelease.size();
}

std::string Version::text() const {
  std::string out = fmt::format("{}.{}.{}", major, minor, patch);
  for (std::size_t i = 0; i < prerelease.size(); ++i) out += (i == 0 ? "-" : ".") + prerelease[i];
  return out;
}

std::optional<Version> parse_version(std::string_view text) {
  auto partial = parse_partial(text);
  if (!partial || partial->parts == 0 || text.find_first_of("xX*") < text.find_first_of("-+"))
    return std::nullopt;
  return std::move(partial->version);
}

/// Reads one alternative, a range: parts with their operators, or "a - b".
class Constraint::Parser {
 public:
  Result<Range> range(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t begin = text.find_first_not_of(" \t,", i);
      if (begin == std::string_view::npos) break;
      i = std::min(text.find_first_of(" \t,", begin), text.size());
      words.push_back(text.substr(begin, i - begin));
    }
    if (words.size() == 3 && words[1] == "-") return hyphen(words[0], words[2]);
    if (words.empty()) words.push_back("*");
    Range range;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t end = std::min(words[i].find_first_not_of("=<>!^~"), words[i].size());
      const std::string_view op = words[i].substr(0, end);
      std::string_view version = words[i].substr(end);
      if (version.empty() && i + 1 < words.size()) version = words[++i];  // "> 1.2"
      const auto partial = parse_partial(version);
      if (!partial || !add(op, *partial, range))
        return invalid("\"{}{}\" is no version constraint (such as ^2.1, ~1.2.3, >=1.4, 1.x)", op,
                       version);
    }
    return range;
  }

 private:
  using Side = Bound::Side;

  static void bound(Range& range, Side side, Version version) {
    range.bounds.push_back({side, std::move(version), true, {}});
  }

  static Result<Range> hyphen(std::string_view from, std::string_view to) {
    const auto low = parse_partial(from), high = parse_partial(to);
    if (!low || !high) return invalid("\"{} - {}\" is no range of versions", from, to);
    Range range;
    remember(*low, range);
    remember(*high, range);
    bound(range, Side::kFrom, low->version);
    if (high->parts == 3) {
      bound(range, Side::kTo, high->version);
    } else if (high->parts > 0) {
      bound(range, Side::kBelow, after(*high));
    }
    return range;
  }

  static void remember(const Partial& partial, Range& range) {
    if (!partial.version.prerelease.empty()) range.prereleases.push_back(partial.version);
  }

  /// False where there is no such operator.
  static bool add(std::string_view op, const Partial& partial, Range& range) {
    const Version& version = partial.version;
    remember(partial, range);
    const bool exact = partial.parts == 3;
    if (partial.parts == 0) {  // "*" with any operator that lets something through
      bound(range, Side::kFrom, Version{});
      return op.empty() || op == "=" || op == "==" || op == ">=" || op == "=>" || op == "<=" ||
             op == "=<" || op == "^" || op == "~" || op == "~>";
    }
    if (op.empty() || op == "=" || op == "==") {
      bound(range, Side::kFrom, version);
      exact ? bound(range, Side::kTo, version) : bound(range, Side::kBelow, after(partial));
    } else if (op == "!=") {
      range.bounds.push_back({Side::kNot, version, exact, exact ? Version{} : after(partial)});
    } else if (op == ">") {
      exact ? bound(range, Side::kAbove, version) : bound(range, Side::kFrom, after(partial));
    } else if (op == ">=" || op == "=>") {
      bound(range, Side::kFrom, version);
    } else if (op == "<") {
      bound(range, Side::kBelow, version);
    } else if (op == "<=" || op == "=<") {
      exact ? bound(range, Side::kTo, version) : bound(range, Side::kBelow, after(partial));
    } else if (op == "~" ||
               op == "~>") {  // the last number that was written may grow, but not the one before
      bound(range, Side::kFrom, version);
      bound(range, Side::kBelow, after({version, std::min(partial.parts, 2)}));
    } else if (op == "^") {  // nothing left of or at the first number that is not 0 changes
      bound(range, Side::kFrom, version);
      int fixed = partial.parts;
      if (version.major > 0) {
        fixed = 1;
      } else if (partial.parts >= 2 && version.minor > 0) {
        fixed = 2;
      }
      bound(range, Side::kBelow, after({version, fixed}));
    } else {
      return false;
    }
    return true;
  }
};

Result<Constraint> Constraint::parse(std::string_view text) {
  if (text.size() > kLongest)
    return invalid("a version constraint has at most {} characters, found {}", kLongest,
                   text.size());
  Constraint out;
  while (true) {
    const std::size_t bars = text.find("||");
    PORTICO_TRY(Range range, Parser().range(text.substr(0, bars)));
    out.ranges_.push_back(std::move(range));
    if (bars == std::string_view::npos) return out;
    text.remove_prefix(bars + 2);
  }
}

bool Constraint::matches(const Version& version) const {
  const auto holds = [&](const Bound& bound) {
    switch (bound.side) {
      case Bound::Side::kFrom:
        return version >= bound.version;
      case Bound::Side::kAbove:
        return version > bound.version;
      case Bound::Side::kBelow:
        return version < bound.version;
      case Bound::Side::kTo:
        return version <= bound.version;
      case Bound::Side::kNot:
        return bound.whole ? version != bound.version
                           : version < bound.version || version >= bound.upper;
    }
    return false;
  };
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
    const bool asked_for =
        version.prerelease.empty() ||
        std::any_of(range.prereleases.begin(), range.prereleases.end(), [&](const Version& one) {
          return one.major == version.major && one.minor == version.minor &&
                 one.patch == version.patch;
        });
    return asked_for && std::all_of(range.bounds.begin(), range.bounds.end(), holds);
  });
}

}  // namespace portico::variants
