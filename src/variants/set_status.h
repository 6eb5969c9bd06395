// The status of a set after a reconcile.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "variants/set_decide.h"

namespace portico::variants {

/// An action that failed.
struct FailedAction {
  VariantKey key;
  Error error;
};

/// The status of snapshot.set. Conditions, with Porch's reasons and messages for those that Porch
/// has:
///   Stalled            True with the reason, including DeletionGuard; else False / Valid
///   Ready              True / Reconciled if the variants are as wanted; else False with the first
///                      failing targets and their number, or with what is held back
///   VariantsReady      whether the variants themselves are ready, with counts and the first that
///                      fail
///   DeletionsHeld      only while deletions are withheld: which and why
///   NoMatchingTargets  only while there are targets and none yields a variant
/// `failures` holds the first 20. A desired target counts as failed if it yielded no variant, its
/// action failed or its variant is failing (api/health.h); as ready if its variant is healthy; and
/// otherwise as waiting. While the set is stalled for a reason other than the deletion guard, the
/// previous information about its targets is kept. The result equals the snapshot's status if
/// nothing changed; it need not be written then.
api::PackageVariantSetStatus set_status(const SetSnapshot& snapshot, const SetDecision& decision,
                                        std::span<const FailedAction> failed_actions,
                                        TimePoint now);

/// The status of snapshot.set while `left`, the rest of decision.actions, is still to be written:
/// its counts and VariantsReady, with the targets of `left` as waiting. The rest of the status, and
/// its observedGeneration, are those of before: they follow when everything is written.
api::PackageVariantSetStatus set_progress(const SetSnapshot& snapshot, const SetDecision& decision,
                                          std::span<const FailedAction> failed_actions,
                                          std::span<const SetAction> left, TimePoint now);

}  // namespace portico::variants
