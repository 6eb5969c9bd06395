// Version tags of images, and constraints on them as a Kptfile's `tag` may have.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace portico::functions {

using Version = std::array<int, 3>;

/// "v1.2.3" or "1.2.3"; a pre-release or build behind it is left out of account. Nothing for other
/// text, and where parts are missing.
std::optional<Version> parse_version(std::string_view text);

/// "~0.4.1", "^1", ">=0.2 <0.5", "0.4 || 0.6", "1.2 - 1.4", "0.3.x", "*": the grammar of
/// Masterminds semver, which kpt uses. A version that leaves parts out ("v0.4") is a constraint
/// too: 0.4.x.
class VersionConstraint {
 public:
  /// Nothing where the text is no constraint.
  static std::optional<VersionConstraint> parse(std::string_view text);

  bool allows(const Version& version) const;
  /// True where there can be a version that both allow.
  bool meets(const VersionConstraint& other) const;

 private:
  /// lowest <= version < limit.
  struct Range {
    Version lowest, limit;
  };
  using Ranges = std::vector<Range>;
  static std::optional<Ranges> parse_one(std::string_view text);
  static Ranges both(const Ranges& a, const Ranges& b);

  Ranges ranges_;  // any of them
};

}  // namespace portico::functions
