// Escapes property names for expressions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace portico::schema::internal {

/// "a-b.c/d" -> "a__dash__b__dot__c__slash__d", "namespace" -> "__namespace__"; nullopt for a name
/// that cannot be escaped.
std::optional<std::string> escaped(std::string_view name);

/// The inverse of escaped(); a name without escapes is unchanged.
std::string unescaped(std::string_view name);

}  // namespace portico::schema::internal
