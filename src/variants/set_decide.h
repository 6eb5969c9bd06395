// From a set's snapshot to its plan: validation, upstream, targets, templates, actions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "variants/set_plan.h"
#include "variants/stall.h"

namespace portico::variants {

struct SetDecision {
  /// ValidationError, UpstreamNotFound, NoMatchingTargets (the kind is not served): then there is
  /// nothing else in here.
  std::optional<Stall> stall;
  std::vector<SetAction> actions;
  std::optional<Hold> hold;  // deletions that are not among the actions
  std::vector<FailedTarget> failures;
  std::vector<VariantKey> wanted;  // in order; failing targets are not among them
  /// Why nothing is done about the set: then there is nothing else in here.
  std::optional<std::string> suspended;
  /// Which selectors match nothing, where the set has targets and none of them gives a variant.
  std::optional<std::string> no_match;
  /// What it would have to know besides. While there is anything, all else in here is a guess: the
  /// snapshot gets what is asked for (SetSnapshot::asked), and it is decided anew.
  Asked asks{};
};

/// `compiled` is compile_set() of this generation's spec, which the caller keeps while the
/// generation lasts; its error stalls the set before any target is touched.
SetDecision decide_set(const SetSnapshot& snapshot, const Result<CompiledSet>& compiled);

}  // namespace portico::variants
