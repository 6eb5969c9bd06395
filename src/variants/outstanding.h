// What is left to do for an object, for somebody who sees objects only: by what it says itself, and
// by what is decided for it. Pure.
#pragma once

#include "variants/decide.h"
#include "variants/set_decide.h"
#include "variants/set_status.h"

namespace portico::variants {

enum class Left {
  kNothing,  // it is as it is wanted, or waits for an event, a person or a time: and says so
  kWork,     // somebody has still to look at it
  kFailed,   // what is to be done was tried and failed, and it says so
};
const char* name(Left left);

/// Whether its status is the one that a controller would write now. Fields that a definition of an
/// earlier version does not keep are no difference. kFailed says of a change of what is injected,
/// or of a Repository, nothing: whether it was tried with that is not known.
Left left_to_do(const VariantSnapshot& snapshot);

/// `decision`: decide_set() of the snapshot. Of a set that is being deleted nothing: what it owns
/// is collected by others.
Left left_to_do(const SetSnapshot& snapshot, const SetDecision& decision);

}  // namespace portico::variants
