// Constraints on semantic versions: "^2.1", ">=1.4 <2", "1.2 - 1.4", "0.3.x", "~1 || ~3".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "semver/version.h"

namespace portico::semver {

/// Whether versions with a prerelease are considered.
enum class Prereleases {
  kAsWritten,  // only in a group that itself names a prerelease: ">=1.2.0-0 <2"
  kAll,
};

/// A set of versions. Grammar and meaning are those of Go's Masterminds/semver v3, with which kpt
/// reads the `tag` of a function: operators = != > < >= => <= =< ~ ~> ^; numbers that are "x", "X",
/// "*" or omitted; ranges "a - b"; parts that must all hold, separated by blanks or one comma;
/// groups of parts, separated by "||".
class Constraint {
 public:
  /// kInvalid; the error names the invalid part.
  static Result<Constraint> parse(std::string_view text,
                                  Prereleases prereleases = Prereleases::kAsWritten);

  bool allows(const Version& version) const;
  /// Whether a version can exist that both allow.
  bool meets(const Constraint& other) const { return lowest_common(other).has_value(); }
  /// The lowest version that both allow, a release if possible; nullopt if there is none.
  std::optional<Version> lowest_common(const Constraint& other) const;

 private:
  /// All versions from `from` up to but excluding `below`, if that is set.
  struct Range {
    Version from;
    std::optional<Version> below;
    bool prereleases = false;
  };
  using Ranges = std::vector<Range>;  // a union
  struct Part;
  class Parser;

  static Ranges both(const Ranges& a, const Ranges& b);

  Ranges ranges_;
};

}  // namespace portico::semver
