// Prints plans and their outcomes for users.
#pragma once

#include <cstddef>
#include <string>

#include "cli/context.h"
#include "controllers/plan.h"

namespace portico::cli {

struct PlanText {
  bool diffs = true;
  std::size_t most_variants = 0;  // maximum number shown; 0: all
};

/// Prints sets with their actions, variants with their steps and conflicts, then failures: the
/// first 20, and how many fail as before.
void print_plan(Terminal& out, const controllers::Plan& plan, const PlanText& how);

/// Prints what was done, after waiting for it: the sets, the first variants and the counts; nothing
/// if nothing was done and nothing failed. Returns exit status 1 if something failed that no status
/// reports; failures that a status does report are left to the caller (Plan::failed()).
[[nodiscard]] Exit print_done(Terminal& out, const controllers::Plan& done);

/// "3 variants to create, 1 to delete (2 more held back); 3 drafts, 1 draft to remove, ...".
std::string plan_counts(const controllers::Plan& plan, bool done);

}  // namespace portico::cli
