// Parses tokens to a syntax tree.
#pragma once

#include <string_view>

#include "starlark_syntax/syntax.h"

namespace portico::starlark {

/// Throws a SyntaxError for text outside the grammar, and for nesting too deep for the recursive
/// functions that process the tree.
void parse(std::string_view source, SyntaxTree& tree);

}  // namespace portico::starlark
