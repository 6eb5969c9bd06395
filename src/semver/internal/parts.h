// The syntax elements of versions and constraints.
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

/// nullopt if the text is not a number or exceeds 2^64 - 1.
std::optional<std::uint64_t> number(std::string_view text);

std::vector<std::string_view> split(std::string_view text, char mark);

/// Parses the text after the numbers: "-rc.1+build". Returns the identifiers of the prerelease;
/// nullopt for anything else.
std::optional<std::vector<std::string>> prerelease_of(std::string_view tail);

}  // namespace portico::semver::internal
