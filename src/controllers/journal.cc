#include "controllers/journal.h"

#include <algorithm>

#include "krm/meta.h"

namespace portico::controllers {

void Journal::set_looked_at(const krm::ObjectKey& key, const work::Run&,
                            const variants::SetDecision& decision,
                            const std::vector<variants::FailedAction>& failed) {
  std::vector<variants::SetAction> done = decision.actions;
  std::erase_if(done, [&](const variants::SetAction& action) {
    return std::any_of(failed.begin(), failed.end(),
                       [&](const auto& one) { return one.key == action.key; });
  });
  entries_.with([&](Entries& entries) {
    PlannedSet& set = entries.sets[key];
    set.key = key;
    set.actions.insert(set.actions.end(), done.begin(), done.end());
    // Of the rest the last word counts.
    set.stall = decision.stall;
    set.no_match = decision.no_match;
    set.hold = decision.hold;
    set.failures = decision.failures;
    set.failed_actions = failed;
    set.desired = decision.wanted.size() + decision.failures.size();
  });
}

void Journal::variant_looked_at(const krm::ObjectKey& key, const work::Run&,
                                const variants::VariantSnapshot& snapshot,
                                const variants::VariantOutcome& outcome,
                                const drafts::Drafted* drafted) {
  PlannedVariant step;
  step.key = key;
  step.removed = snapshot.variant->metadata.deleting();
  if (const auto& downstream = snapshot.variant->spec.downstream)
    step.downstream = {downstream->repo, downstream->package};
  step.decision = outcome.decision;
  step.error = outcome.error;
  bool tells = !std::holds_alternative<variants::Keep>(outcome.decision.step) &&
               !std::holds_alternative<variants::DropFinalizer>(outcome.decision.step);
  if (drafted != nullptr) {
    if (!drafted->object.is_null()) {
      step.revision = krm::name_of(drafted->object);
      step.workspace = drafted->object["spec"]["workspaceName"].as_string();
    }
    // Nothing that anybody would see.
    tells = tells && (!drafted->object.is_null() || drafted->removed);
    if (with_contents_) {
      step.built = drafted->built;
    } else {
      step.built.emplace();
      step.built->conflicts = drafted->built.conflicts;
    }
  }
  tells = tells || outcome.error.has_value();
  entries_.with([&](Entries& entries) {
    Variant& variant = entries.variants[key];
    variant.end.reset();
    if (!tells) return;
    if (step.changes())
      variant.steps.push_back(std::move(step));
    else
      variant.end = std::move(step);
  });
}

Plan Journal::plan() const {
  return entries_.with([](const Entries& entries) {
    Plan out;
    for (const auto& [key, set] : entries.sets)
      if (!set.quiet()) out.sets.push_back(set);
    for (const auto& [key, variant] : entries.variants) {
      out.variants.insert(out.variants.end(), variant.steps.begin(), variant.steps.end());
      if (variant.end) out.variants.push_back(*variant.end);
    }
    return out;
  });
}

}  // namespace portico::controllers
