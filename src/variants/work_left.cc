#include "variants/work_left.h"

#include <algorithm>

#include "api/kinds.h"
#include "variants/variant_status.h"

namespace portico::variants {

namespace {

bool is(const api::Condition& a, const api::Condition& b) {
  return a.type == b.type && a.status == b.status && a.reason == b.reason && a.message == b.message;
}

bool same_conditions(const std::vector<api::Condition>& said,
                     const std::vector<api::Condition>& wanted) {
  return said.size() == wanted.size() &&
         std::all_of(wanted.begin(), wanted.end(), [&](const api::Condition& each) {
           const api::Condition* const one = api::find_condition(said, each.type);
           return one != nullptr && is(*one, each);
         });
}

bool is_of(std::int64_t observed, std::int64_t wanted) {
  return observed == 0 || observed == wanted;
}

bool same_targets(const std::vector<api::DownstreamTarget>& said,
                  const std::vector<api::DownstreamTarget>& wanted) {
  return std::equal(said.begin(), said.end(), wanted.begin(), wanted.end(),
                    [](const api::DownstreamTarget& a, const api::DownstreamTarget& b) {
                      return a.name == b.name &&
                             (a.lifecycle.empty() || a.lifecycle == b.lifecycle);
                    });
}

bool says(const api::PackageVariantStatus& said, const api::PackageVariantStatus& wanted) {
  return is_of(said.observed_generation, wanted.observed_generation) &&
         same_conditions(said.conditions, wanted.conditions) &&
         same_targets(said.downstream_targets, wanted.downstream_targets) &&
         (!said.upstream || said.upstream == wanted.upstream);
}

/// The Ready condition, if it reports an error.
const api::Condition* error_said(const std::vector<api::Condition>& conditions) {
  const api::Condition* const stalled = api::find_condition(conditions, api::kStalled);
  if (stalled != nullptr && stalled->status == "True") return nullptr;
  const api::Condition* const ready = api::find_condition(conditions, api::kReady);
  return ready != nullptr && ready->status == "False" && ready->reason == "Error" ? ready : nullptr;
}

/// Whether the step is an edit whose only reason is that the status does not record what the
/// revision was built from, because the CRD drops that field.
bool rests_on_what_is_not_kept(const VariantSnapshot& snapshot, const Step& step) {
  const auto* const anew = std::get_if<EditNewDraft>(&step);
  const auto* const in_place = std::get_if<EditInPlace>(&step);
  if (anew == nullptr && in_place == nullptr) return false;
  const api::PackageVariantStatus& status = snapshot.variant->status;
  const std::string& revision = anew != nullptr ? anew->base.name() : in_place->draft.name();
  const auto target =
      std::find_if(status.downstream_targets.begin(), status.downstream_targets.end(),
                   [&](const api::DownstreamTarget& each) { return each.name == revision; });
  const bool unsaid = target != status.downstream_targets.end() && target->inputs_hash.empty();
  return unsaid && !status.unchanged;
}

}  // namespace

const char* name(WorkLeft left) {
  switch (left) {
    case WorkLeft::kNothing:
      return "nothing";
    case WorkLeft::kWork:
      return "work";
    case WorkLeft::kFailed:
      break;
  }
  return "failed";
}

WorkLeft work_left(const VariantSnapshot& snapshot) {
  const api::PackageVariant& variant = *snapshot.variant;
  const api::PackageVariantStatus& said = variant.status;
  const auto& finalizers = variant.metadata.finalizers;
  if (!variant.metadata.deleting() &&
      std::find(finalizers.begin(), finalizers.end(), api::kVariantFinalizer) == finalizers.end())
    return WorkLeft::kWork;
  VariantOutcome outcome{decide(snapshot), std::nullopt, std::nullopt};
  const Step& step = outcome.decision.step;
  if (std::holds_alternative<DropFinalizer>(step)) return WorkLeft::kWork;
  if (!ends(step)) {
    if (const api::Condition* const error = error_said(said.conditions)) {
      outcome.error = unavailable("{}", error->message);
    } else if (rests_on_what_is_not_kept(snapshot, step)) {
      outcome.decision.step = Keep{};
    } else {
      return WorkLeft::kWork;
    }
  }
  if (!says(said, variant_status(snapshot, outcome, snapshot.now))) return WorkLeft::kWork;
  if (outcome.error) return WorkLeft::kFailed;
  return said.retry ? WorkLeft::kWork : WorkLeft::kNothing;
}

WorkLeft work_left(const SetSnapshot& snapshot, const SetDecision& decision) {
  const api::PackageVariantSet& set = *snapshot.set;
  const api::PackageVariantSetStatus& said = set.status;
  if (set.metadata.deleting()) return WorkLeft::kNothing;
  if (!decision.actions.empty()) {
    const api::Condition* const ready = api::find_condition(said.conditions, api::kReady);
    const bool failed = ready != nullptr && ready->status == "False" &&
                        ready->reason == "UnexpectedError" &&
                        is_of(said.observed_generation, set.metadata.generation);
    return failed ? WorkLeft::kFailed : WorkLeft::kWork;
  }
  const api::PackageVariantSetStatus wanted = set_status(snapshot, decision, {}, TimePoint{});
  const bool same = is_of(said.observed_generation, wanted.observed_generation) &&
                    same_conditions(said.conditions, wanted.conditions) &&
                    (said.targets == wanted.targets || !said.targets);
  return same && !said.retry ? WorkLeft::kNothing : WorkLeft::kWork;
}

}  // namespace portico::variants
