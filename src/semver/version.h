// Semantic versions (semver.org 2.0.0) and their common spellings.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace portico::semver {

/// Ordered as in semver.org. Build metadata is parsed but not stored: no comparison uses it.
struct Version {
  std::uint64_t major = 0, minor = 0, patch = 0;
  std::vector<std::string> prerelease;  // identifiers: "rc", "1"

  std::strong_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const { return (*this <=> other) == 0; }
  bool is_release() const { return prerelease.empty(); }
  std::string text() const;
};

/// Parses versions as they occur in tags: "v1.2.3-rc.1+build", with leading zeros ("1.02") and
/// omitted parts ("v1" is 1.0.0, "1.2-rc" is 1.2.0-rc). nullopt for other text. Equivalent to
/// NewVersion of Go's Masterminds/semver.
std::optional<Version> parse_version(std::string_view text);

/// How messages quote a part of the text.
using Quote = std::string (*)(std::string_view part);
std::string in_quotes(std::string_view part);

/// Strict: three numbers without leading zeros, no "v". kInvalid with the messages of Go's
/// blang/semver, which Kubernetes uses: users search for them.
Result<Version> parse_strict(std::string_view text, Quote quote = in_quotes);

/// Like Kubernetes' semver(text, true): ignores a leading "v" and leading zeros of numbers, and
/// numbers may be omitted if no prerelease or build follows; otherwise strict.
Result<Version> parse_normalized(std::string_view text, Quote quote = in_quotes);

}  // namespace portico::semver
