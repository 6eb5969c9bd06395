#include "controllers/journal.h"

#include <algorithm>
#include <map>
#include <optional>

#include "krm/meta.h"

namespace portico::controllers {

void Journal::set_reconciled(const krm::ObjectKey& key, const work::Run&,
                             const variants::SetDecision& decision,
                             const std::vector<variants::FailedAction>& failed) {
  std::vector<variants::SetAction> done = decision.actions;
  std::erase_if(done, [&](const variants::SetAction& action) {
    return std::any_of(failed.begin(), failed.end(),
                       [&](const auto& one) { return one.key == action.key; });
  });
  PlannedSet set;
  set.key = key;
  set.actions = std::move(done);
  set.stall = decision.stall;
  set.no_match = decision.no_match;
  set.hold = decision.hold;
  set.failures = decision.failures;
  set.failed_actions = failed;
  set.desired = decision.wanted.size() + decision.failures.size();
  add({0, std::move(set)});
}

void Journal::variant_reconciled(const krm::ObjectKey& key, const work::Run&,
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
    // Skip a step without a visible result.
    tells = tells && (!drafted->object.is_null() || drafted->removed);
    if (options_.contents) {
      step.built = drafted->built;
    } else {
      step.built.emplace();
      step.built->conflicts = drafted->built.conflicts;
    }
  }
  tells = tells || outcome.error.has_value();
  if (tells)
    add({0, std::move(step)});
  else
    add({0, key});
}

void Journal::add(Look look) {
  if (options_.registry != nullptr) look.version = options_.registry->version();
  entries_.with([&](Entries& entries) {
    if (const auto* quiet = std::get_if<krm::ObjectKey>(&look.what)) {
      if (entries.open.erase(*quiet) == 0) return;  // no open step to clear
    } else if (const auto* step = std::get_if<PlannedVariant>(&look.what)) {
      if (step->changes())
        entries.open.erase(step->key);
      else
        entries.open.insert(step->key);
    }
    entries.looks.push_back(std::move(look));
    while (options_.most > 0 && entries.looks.size() > options_.most) entries.looks.pop_front();
  });
}

namespace {

struct Steps {
  std::vector<PlannedVariant> done;
  std::optional<PlannedVariant> end;  // the last step, if it could not proceed
};

}  // namespace

Plan Journal::plan(registry::ResourceVersion since) const {
  std::map<krm::ObjectKey, PlannedSet> sets;
  std::map<krm::ObjectKey, Steps> variants;
  entries_.with([&](const Entries& entries) {
    for (const Look& look : entries.looks) {
      if (since > 0 && look.version <= since) continue;
      if (const auto* set = std::get_if<PlannedSet>(&look.what)) {
        // Only actions accumulate; for all other fields the latest value is used.
        PlannedSet& known = sets[set->key];
        std::vector<variants::SetAction> actions = std::move(known.actions);
        actions.insert(actions.end(), set->actions.begin(), set->actions.end());
        known = *set;
        known.actions = std::move(actions);
      } else if (const auto* step = std::get_if<PlannedVariant>(&look.what)) {
        Steps& known = variants[step->key];
        known.end.reset();
        if (step->changes())
          known.done.push_back(*step);
        else
          known.end = *step;
      } else {
        variants[std::get<krm::ObjectKey>(look.what)].end.reset();
      }
    }
  });
  Plan out;
  for (const auto& [key, set] : sets)
    if (!set.quiet()) out.sets.push_back(set);
  for (const auto& [key, steps] : variants) {
    out.variants.insert(out.variants.end(), steps.done.begin(), steps.done.end());
    if (steps.end) out.variants.push_back(*steps.end);
  }
  return out;
}

}  // namespace portico::controllers
