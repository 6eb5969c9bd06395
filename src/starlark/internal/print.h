// Values as text.
#pragma once

#include <string>

#include "starlark/value.h"

namespace portico::starlark::internal {

/// What repr() hands back.
void write(std::string& text, Value value);

}  // namespace portico::starlark::internal
