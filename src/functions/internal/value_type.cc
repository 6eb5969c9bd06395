#include "functions/internal/value_type.h"

#include <cmath>

namespace portico::functions {

bool is_whole(const json::Value& value) {
  switch (value.type()) {
    case json::Value::Type::kInt:
    case json::Value::Type::kUint:
      return true;
    case json::Value::Type::kDouble:
      return std::nearbyint(value.as_double()) == value.as_double();
    default:
      return false;
  }
}

std::string_view name_of_type(const json::Value& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return "boolean";
  if (value.is_string()) return "string";
  if (value.is_array()) return "array";
  if (value.is_object()) return "object";
  return is_whole(value) ? "integer" : "number";
}

}  // namespace portico::functions
