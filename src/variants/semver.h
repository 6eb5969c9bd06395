// Semantic versions and constraints on them, as upstream.constraint has them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace portico::variants {

/// Semantic Versioning 2.0.0. Build metadata is read and does not count.
struct Version {
  std::uint64_t major = 0, minor = 0, patch = 0;
  std::vector<std::string> prerelease;  // identifiers: "rc", "1"

  std::strong_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const { return (*this <=> other) == 0; }
  std::string text() const;
};

/// "1.2.3", "v1.2.3-rc.1+build", and with missing parts: "v1" is 1.0.0. Nothing for what is no
/// version.
std::optional<Version> parse_version(std::string_view text);

/// A set of versions: "^2.1", "~1.2.3", ">=1.4 <2", "1.2 - 1.4", "1.x", "*", and alternatives with
/// "||". Parts that stand beside each other, with blanks or commas, must all hold. A prerelease
/// matches only where a part with the same major.minor.patch names a prerelease too.
class Constraint {
 public:
  /// kInvalid, with the part that is wrong.
  static Result<Constraint> parse(std::string_view text);

  bool matches(const Version& version) const;

 private:
  struct Bound {
    enum class Side { kFrom, kAbove, kBelow, kTo, kNot } side;  // >=, >, <, <=, !=
    Version version;
    bool whole = true;  // of kNot: false where all of version..upper is excluded
    Version upper;
  };
  struct Range {
    std::vector<Bound> bounds;         // all must hold
    std::vector<Version> prereleases;  // versions with a prerelease that were written
  };
  class Parser;

  std::vector<Range> ranges_;  // one must hold
};

}  // namespace portico::variants
