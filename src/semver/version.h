// Semantic versions (semver.org 2.0.0) and the ways in which people write them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace portico::semver {

/// Ordered as semver.org says. Build metadata is read and not kept: it counts in no comparison.
struct Version {
  std::uint64_t major = 0, minor = 0, patch = 0;
  std::vector<std::string> prerelease;  // identifiers: "rc", "1"

  std::strong_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const { return (*this <=> other) == 0; }
  bool is_release() const { return prerelease.empty(); }
  std::string text() const;
};

/// As people write tags: "v1.2.3-rc.1+build", with zeros in front ("1.02") and with parts left out
/// ("v1" is 1.0.0, "1.2-rc" is 1.2.0-rc). Nothing for other text. What Go's Masterminds/semver
/// calls NewVersion.
std::optional<Version> parse_version(std::string_view text);

/// How a message quotes a part of the text.
using Quote = std::string (*)(std::string_view part);
std::string in_quotes(std::string_view part);

/// Strict: three numbers without zeros in front, no "v". kInvalid in the words of Go's
/// blang/semver, which Kubernetes uses: users search for them.
Result<Version> parse_strict(std::string_view text, Quote quote = in_quotes);

/// As Kubernetes' semver(text, true): a "v" in front and zeros in front of numbers do not count,
/// and numbers may be left out where no prerelease or build follows; then strict.
Result<Version> parse_normalized(std::string_view text, Quote quote = in_quotes);

}  // namespace portico::semver
