// Parses tokens to a syntax tree and expands macros.
#pragma once

#include <string_view>
#include <vector>

#include "cel/ast.h"
#include "cel/diagnostic.h"
#include "cel/internal/language.h"

namespace portico::cel::internal {

/// ast.root is nullptr if there are issues; the parser stops at the first one.
struct Parsed {
  Ast ast;
  std::vector<Issue> issues;
};

Parsed parse(std::string_view source, const Language& language);

/// "a.b.c" if the expression is such a chain of names, else "".
std::string qualified_name(const Expr& expr);

/// The name at the start of such a chain, or nullptr.
const Expr* first_name(const Expr& expr);

}  // namespace portico::cel::internal
