// Checks types, names and overloads of a syntax tree.
#pragma once

#include <vector>

#include "cel/ast.h"
#include "cel/diagnostic.h"
#include "cel/internal/language.h"

namespace portico::cel::internal {

/// Checks the tree and records the results in it: names are resolved (a global becomes absolute, a
/// type name becomes a literal, a qualified function loses its target), and every expression gets
/// its type. Continues after an error; the tree may only be evaluated if there is none.
std::vector<Issue> check(Ast& ast, const Language& language);

/// Declarations of the operators: signatures only; the evaluator implements them.
std::vector<Function> operator_declarations(const Options& options, bool optional_syntax);

}  // namespace portico::cel::internal
