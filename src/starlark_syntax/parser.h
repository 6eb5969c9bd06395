// Tokens to a syntax tree.
#pragma once

#include <string_view>

#include "starlark_syntax/syntax.h"

namespace portico::starlark {

/// Throws a Mistake: for what is not in the grammar, and for what is nested too deep for the
/// functions that go through the tree.
void parse(std::string_view source, SyntaxTree& tree);

}  // namespace portico::starlark
