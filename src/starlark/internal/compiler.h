// Compiles a syntax tree to code.
#pragma once

#include <memory>
#include <string_view>

#include "starlark/internal/code.h"
#include "starlark_syntax/syntax.h"

namespace portico::starlark::internal {

/// `tree` must have been through resolve(). Cannot fail.
std::shared_ptr<const Code> compile(const SyntaxTree& tree, std::string_view name,
                                    const std::vector<std::string>& predeclared, Dialect dialect);

}  // namespace portico::starlark::internal
