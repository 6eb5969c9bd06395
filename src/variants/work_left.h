// The work left for an object, derived only from the objects: from its status and from the decision
// about it. Pure.
#pragma once

#include "variants/decide.h"
#include "variants/set_decide.h"
#include "variants/set_status.h"

namespace portico::variants {

enum class WorkLeft {
  kNothing,  // it is as wanted, or its status says which event, user or time it waits for
  kWork,     // a controller still has to reconcile it
  kFailed,   // the work was tried and failed, and the status says so
};
const char* name(WorkLeft left);

/// Compares the status with the one that a controller would write now. Fields that the CRD of an
/// earlier version drops are ignored. kFailed does not tell whether the failed try already used the
/// current injected objects and Repository.
WorkLeft work_left(const VariantSnapshot& snapshot);

/// `decision`: the result of decide_set() for the snapshot. kNothing for a set that is being
/// deleted: its variants are left to garbage collection.
WorkLeft work_left(const SetSnapshot& snapshot, const SetDecision& decision);

}  // namespace portico::variants
