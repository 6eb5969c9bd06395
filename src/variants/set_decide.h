// Turns a set's snapshot into a plan: validation, upstream, targets, templates, actions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "variants/set_plan.h"
#include "variants/stall.h"

namespace portico::variants {

struct SetDecision {
  /// ValidationError, UpstreamNotFound, or NoMatchingTargets (the kind is not served). If set, the
  /// other fields are empty.
  std::optional<Stall> stall;
  std::vector<SetAction> actions;
  std::optional<Hold> hold;  // deletions withheld from the actions
  std::vector<FailedTarget> failures;
  std::vector<VariantKey> wanted;  // sorted; without failing targets
  /// Why the set is left alone. If set, the other fields are empty.
  std::optional<std::string> suspended;
  /// Which selectors match nothing, if the set has targets and none of them yields a variant.
  std::optional<std::string> no_match;
  /// Further names that the decision needs. Unless empty, all other fields are provisional: the
  /// caller adds these to the snapshot (SetSnapshot::asked) and decides again.
  Asked asks{};
};

/// `compiled` is compile_set() of this generation's spec, which the caller caches per generation.
/// Its error stalls the set before any target is processed.
SetDecision decide_set(const SetSnapshot& snapshot, const Result<CompiledSet>& compiled);

}  // namespace portico::variants
