// The methods of the built-in types, and the built-in functions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "starlark/internal/object.h"

namespace portico::starlark::internal {

struct NamedFunction {
  std::string_view name;
  BuiltinFunction function;
};

/// Sorted by name.
std::span<const NamedFunction> string_methods();
std::span<const NamedFunction> bytes_methods();
std::span<const NamedFunction> list_methods();
std::span<const NamedFunction> dict_methods();
std::span<const NamedFunction> set_methods();
/// Empty for a type without methods.
std::span<const NamedFunction> methods_of(Value value);
/// The built-in functions, without None, True and False.
std::span<const NamedFunction> built_in_functions();

/// Names of fields and methods, sorted.
std::vector<std::string_view> attribute_names(Value value);

}  // namespace portico::starlark::internal
