// JSON schema type names of values.
#pragma once

#include <string_view>

#include "json/value.h"

namespace portico::functions {

/// A number without a fraction, whatever its notation.
bool is_whole(const json::Value& value);

/// "null", "boolean", "string", "array", "object", "integer" or "number".
std::string_view name_of_type(const json::Value& value);

}  // namespace portico::functions
