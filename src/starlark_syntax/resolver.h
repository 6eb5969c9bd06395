// Gives every name of a syntax tree its meaning.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "starlark_syntax/dialect.h"
#include "starlark_syntax/syntax.h"

namespace portico::starlark {

/// The built-in functions and constants, sorted.
const std::vector<std::string_view>& universe();

/// Static scopes: a name that a function assigns anywhere is its own everywhere. Checks what can be
/// known before a run: names that there are not, misplaced statements, parameters and arguments in
/// the wrong order. Throws a Mistake. A predeclared name's index is its place in `predeclared`, a
/// universal one's that in universe().
void resolve(SyntaxTree& tree, const std::vector<std::string>& predeclared, Dialect dialect,
             std::string_view file);

}  // namespace portico::starlark
