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

/// The status of snapshot.set. Conditions, those that Porch has in its words:
///   Stalled            True with the reason, also DeletionGuard; else False / Valid
///   Ready              True / Reconciled where the variants are as they are wanted; else False
///   with
///                      the first failing targets and how many there are, or what is held back
///   VariantsReady      whether the variants themselves are ready, with counts and the first
///   failing DeletionsHeld      only while deletions are held back: which and why NoMatchingTargets
///   only while there are targets and none gives a variant
/// `failures` holds the first 20. Of the desired targets those count as failed that gave no
/// variant, whose action failed or whose variant is failing (api/health.h), as ready those whose
/// variant is healthy, and all others wait. While the set is stalled by something else than the
/// deletion guard nothing is known of its targets, and what was known stays. Equal to the status in
/// the snapshot where nothing changed: then it need not be written.
api::PackageVariantSetStatus set_status(const SetSnapshot& snapshot, const SetDecision& decision,
                                        std::span<const FailedAction> failed_actions,
                                        TimePoint now);

}  // namespace portico::variants
