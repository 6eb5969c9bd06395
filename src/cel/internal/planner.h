// A checked (or only parsed) tree to nodes.
#pragma once

#include <memory>
#include <string>

#include "cel/ast.h"
#include "cel/internal/language.h"
#include "cel/internal/node.h"

namespace portico::cel::internal {

/// What a Program shares.
struct Code {
  std::shared_ptr<const Language> language;
  std::string source;
  Ast ast;
  NodePtr root;
  std::size_t slots = 0;
};

/// Fills in root and slots. Constant parts are evaluated here, once, unless that fails or the
/// options forbid it; then they are left to each evaluation.
void plan(Code& code);

/// What evaluating the tree costs, between these; see Program::estimate.
CostRange estimate_cost(const Expr& expr, std::uint64_t assumed_size);

}  // namespace portico::cel::internal
