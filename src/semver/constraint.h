// Constraints on semantic versions: "^2.1", ">=1.4 <2", "1.2 - 1.4", "0.3.x", "~1 || ~3".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "semver/version.h"

namespace portico::semver {

/// Whether versions with a prerelease are looked at.
enum class Prereleases {
  kAsWritten,  // only in a group that names a prerelease itself: ">=1.2.0-0 <2"
  kAll,
};

/// A set of versions. Its grammar and its meaning are those of Go's Masterminds/semver v3, which
/// kpt reads the `tag` of a function with: operators = != > < >= => <= =< ~ ~> ^, numbers that are
/// "x", "X", "*" or left out, ranges "a - b", parts that must all hold with blanks or one comma
/// between them, groups of parts with "||" between them.
class Constraint {
 public:
  /// kInvalid, with the part that is wrong.
  static Result<Constraint> parse(std::string_view text,
                                  Prereleases prereleases = Prereleases::kAsWritten);

  bool allows(const Version& version) const;
  /// True where there can be a version that both allow.
  bool meets(const Constraint& other) const { return lowest_common(other).has_value(); }
  /// The lowest version that both allow, a release where there is one; nothing where none can be.
  std::optional<Version> lowest_common(const Constraint& other) const;

 private:
  /// All versions from `from` on that are below `below`, where there is such an end.
  struct Range {
    Version from;
    std::optional<Version> below;
    bool prereleases = false;
  };
  using Ranges = std::vector<Range>;  // any of them
  struct Part;
  class Parser;

  static Ranges both(const Ranges& a, const Ranges& b);

  Ranges ranges_;
};

}  // namespace portico::semver
