// Resolves every name of a syntax tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "starlark_syntax/dialect.h"
#include "starlark_syntax/syntax.h"

namespace portico::starlark {

/// The built-in functions and constants, sorted.
const std::vector<std::string_view>& universe();

/// Uses static scopes: a name that a function assigns anywhere is local to it everywhere. Checks
/// everything that is known before a run: undefined names, misplaced statements, parameters and
/// arguments in the wrong order. Throws a SyntaxError. A predeclared name's index is its position
/// in `predeclared`, a universal name's its position in universe().
void resolve(SyntaxTree& tree, const std::vector<std::string>& predeclared, Dialect dialect,
             std::string_view file);

}  // namespace portico::starlark
