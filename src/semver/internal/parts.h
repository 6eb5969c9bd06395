// The parts that versions and constraints are written with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace portico::semver::internal {

inline constexpr std::string_view kDigits = "0123456789";
inline constexpr std::string_view kIdentifierChars =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-";

inline bool has_only(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

inline bool leads_with_zero(std::string_view text) { return text.size() > 1 && text[0] == '0'; }

/// Nothing for what is no number, or is above 2^64 - 1.
std::optional<std::uint64_t> number(std::string_view text);

std::vector<std::string_view> split(std::string_view text, char mark);

/// What follows the numbers: "-rc.1+build". The identifiers of the prerelease; nothing where the
/// text is something else.
std::optional<std::vector<std::string>> prerelease_of(std::string_view tail);

}  // namespace portico::semver::internal
