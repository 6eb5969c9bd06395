// "..." % x and "...".format(...).
#pragma once

#include <span>
#include <string_view>

#include "starlark/call.h"
#include "starlark/value.h"

namespace portico::starlark::internal {

/// The operator %: %s %r %d %i %o %x %X %e %f %g %E %F %G %c %% and %(name)s with a dict. A tuple
/// provides several arguments. May throw an EvalError.
Value interpolate(Heap& heap, std::string_view format, Value argument);

/// The method format: {}, {0}, {name}, each with !s or !r. May throw an EvalError.
Value format(Heap& heap, std::string_view format, std::span<const Value> args,
             std::span<const Call::Named> named);

}  // namespace portico::starlark::internal
