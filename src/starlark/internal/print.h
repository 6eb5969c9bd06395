// Prints values.
#pragma once

#include <string>

#include "starlark/value.h"

namespace portico::starlark::internal {

/// Appends the result of repr().
void write(std::string& text, Value value);

}  // namespace portico::starlark::internal
