// "kpt-set" comments: patterns of literal text and ${names}.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace portico::functions {

using Setters = std::map<std::string, std::string>;

/// The pattern of a line comment "# kpt-set: PATTERN"; nullopt for any other comment.
std::optional<std::string> setter_pattern(std::string_view comment);

/// The names in a pattern, in order, including repetitions.
std::vector<std::string> setter_names(std::string_view pattern);

/// The name in a pattern that consists only of "${name}".
std::optional<std::string> only_setter(std::string_view pattern);

/// Replaces every ${name} that is in `setters`; leaves the others.
std::string filled(std::string_view pattern, const Setters& setters);

/// The values of the pattern's names in `value`, matched from left to right and as greedily as in
/// kpt. Empty if the pattern does not match or a name would be empty.
Setters derived(std::string_view pattern, std::string_view value);

}  // namespace portico::functions
