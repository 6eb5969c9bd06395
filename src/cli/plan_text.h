// A plan, and what came of one, in lines for people.
#pragma once

#include <cstddef>
#include <string>

#include "cli/context.h"
#include "controllers/plan.h"

namespace portico::cli {

struct PlanText {
  bool diffs = true;
  std::size_t most_variants = 0;  // how many are shown; 0: all
};

/// Sets with their actions, variants with their steps and conflicts, then what fails: the first 20,
/// and how much fails as it did before.
void print_plan(Terminal& out, const controllers::Plan& plan, const PlanText& how);

/// What has happened, after waiting for it: the sets, the first variants and the counts. Nothing
/// where nothing has. 1, as an exit status, where something failed that no status tells of; what
/// fails and says so there is the business of the caller (Plan::failed()).
[[nodiscard]] Exit print_done(Terminal& out, const controllers::Plan& done);

/// "3 variants to create, 1 to delete (2 more held back); 3 drafts, 1 draft to remove, ...".
std::string plan_counts(const controllers::Plan& plan, bool done);

}  // namespace portico::cli
