// Types, names and overloads of a syntax tree.
#pragma once

#include <vector>

#include "cel/ast.h"
#include "cel/diagnostic.h"
#include "cel/internal/language.h"

namespace portico::cel::internal {

/// Checks the tree and notes in it what it found: names are resolved (a global becomes absolute, a
/// name of a type a literal, a qualified function loses its target), every expression has its type.
/// Goes on after an error; the tree may be evaluated only where there is none.
std::vector<Issue> check(Ast& ast, const Language& language);

/// Declarations of the operators: signatures without implementations, which the evaluator has.
std::vector<Function> operator_declarations(const Options& options, bool optional_syntax);

}  // namespace portico::cel::internal
