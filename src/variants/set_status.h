// What a set says about itself after a reconciliation.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "variants/set_decide.h"

namespace portico::variants {

/// An action that could not be carried out.
struct FailedAction {
  VariantKey key;
  Error error;
};

/// The status of snapshot.set. Conditions as Porch words them: Stalled True with the reason, or
/// False / Valid; Ready True / Reconciled, or False with the first failing targets and how many
/// there are. `failures` holds the first 20. Of the desired targets those count as failed that
/// gave no variant, whose action failed or whose variant is stalled or failing, as ready those
/// whose variant is Ready, and all others wait. Equal to the status in the snapshot where nothing
/// changed: then it need not be written.
api::PackageVariantSetStatus set_status(const SetSnapshot& snapshot, const SetDecision& decision,
                                        std::span<const FailedAction> failed_actions,
                                        TimePoint now);

}  // namespace portico::variants
