// A plan as JSON, for programs.
#pragma once

#include "controllers/planner.h"
#include "json/value.h"

namespace portico::controllers {

/// {sets: [{name, targets, stalled, noMatch, actions, held, heldBecause, failures}], variants:
/// [{name, repo, package, step, reason, workspace, error, revisions, conflicts, diff}]}, in the
/// plan's order; of a variant only what its step has. `held` are deletions that would be held back.
/// `diff` is a unified diff of what the draft would change.
json::Value to_json(const Plan& plan);

}  // namespace portico::controllers
