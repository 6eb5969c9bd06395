// Compiles a checked (or only parsed) tree to nodes.
#pragma once

#include <memory>
#include <string>

#include "cel/ast.h"
#include "cel/internal/language.h"
#include "cel/internal/node.h"

namespace portico::cel::internal {

/// The data that copies of a Program share.
struct Code {
  std::shared_ptr<const Language> language;
  std::string source;
  Ast ast;
  NodePtr root;
  std::size_t slots = 0;
};

/// Fills in root and slots. Evaluates constant parts once, unless that fails or the options forbid
/// it; then they are left to each evaluation.
void plan(Code& code);

/// Lower and upper bound for the cost of evaluating the tree; see Program::estimate.
CostRange estimate_cost(const Expr& expr, std::uint64_t assumed_size);

}  // namespace portico::cel::internal
