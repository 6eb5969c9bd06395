// How names of properties are written in expressions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace portico::schema::internal {

/// "a-b.c/d" -> "a__dash__b__dot__c__slash__d", "namespace" -> "__namespace__"; nothing for a name
/// that expressions cannot say.
std::optional<std::string> escaped(std::string_view name);

/// The inverse of escaped(); a name without escapes is itself.
std::string unescaped(std::string_view name);

}  // namespace portico::schema::internal
