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

/// The names that a pattern has, in order, repeated ones too.
std::vector<std::string> setter_names(std::string_view pattern);

/// The one name of a pattern that is nothing but "${name}".
std::optional<std::string> only_setter(std::string_view pattern);

/// Every ${name} of `setters` replaced, the others left.
std::string filled(std::string_view pattern, const Setters& setters);

/// What the names stand for in `value`, matched as greedily as kpt does, from left to right; empty
/// where the pattern does not fit or a name would stand for nothing.
Setters derived(std::string_view pattern, std::string_view value);

}  // namespace portico::functions
