#include "variants/variant_status.h"

#include <algorithm>

#include "api/health.h"
#include "variants/upstream.h"

namespace portico::variants {

namespace {

std::vector<api::DownstreamTarget> targets(const VariantSnapshot& snapshot,
                                           const std::optional<Built>& built) {
  const api::PackageVariant& variant = *snapshot.variant;
  std::vector<api::DownstreamTarget> out;
  for (const Revision& revision : sort_downstreams(variant, snapshot.downstreams).targets()) {
    api::DownstreamTarget target;
    target.name = revision.name();
    for (const api::DownstreamTarget& before : variant.status.downstream_targets)
      if (before.name == target.name) target = before;
    target.lifecycle = revision.spec().lifecycle;
    target.revision = revision.spec().revision;
    if (built && built->revision == target.name) {
      target.inputs_hash = built->inputs_hash;
      target.render_status = built->render_status;
    }
    out.push_back(std::move(target));
  }
  return out;
}

std::optional<api::ResolvedUpstream> resolved(const VariantSnapshot& snapshot) {
  if (!snapshot.variant->spec.upstream) return std::nullopt;
  const auto upstream = resolve_upstream(*snapshot.variant->spec.upstream, snapshot.upstreams);
  if (!upstream) return std::nullopt;
  api::ResolvedUpstream out{upstream->name(), upstream->spec().revision, ""};
  const auto& self = upstream->object->status.self_lock;
  if (self && self->git) out.commit = self->git->commit;
  return out;
}

api::ConditionValue stalled_value(const Step& step) {
  if (const auto* stall = std::get_if<Stall>(&step))
    return {std::string(api::kStalled), true, stall->reason, stall->message};
  return {std::string(api::kStalled), false, "Valid", "all validation checks passed"};
}

/// Nothing where the step is not the last one and failed in nothing.
std::optional<api::ConditionValue> ready_value(const VariantOutcome& outcome) {
  const auto ready = [](bool status, std::string reason, std::string message) {
    return api::ConditionValue{std::string(api::kReady), status, std::move(reason),
                               std::move(message)};
  };
  if (outcome.error) return ready(false, "Error", outcome.error->text());
  const Step& step = outcome.decision.step;
  if (const auto* stall = std::get_if<Stall>(&step)) {
    if (stall->reason == "ValidationError")
      return ready(false, "Error", "invalid packagevariant object");
    return ready(false, stall->reason, stall->message);
  }
  if (std::holds_alternative<WaitForReview>(step))
    return ready(false, std::string(api::kWaitingForReview), outcome.decision.reason);
  if (std::holds_alternative<Keep>(step) || outcome.built)
    return ready(true, "NoErrors", "successfully ensured downstream package variant");
  return std::nullopt;
}

}  // namespace

api::PackageVariantStatus variant_status(const VariantSnapshot& snapshot,
                                         const VariantOutcome& outcome, TimePoint now) {
  const api::PackageVariant& variant = *snapshot.variant;
  api::PackageVariantStatus status = variant.status;
  const std::int64_t generation = variant.metadata.generation;
  status.observed_generation = generation;
  status.conditions = api::with_condition(std::move(status.conditions),
                                          stalled_value(outcome.decision.step), generation, now);
  if (const auto ready = ready_value(outcome))
    status.conditions = api::with_condition(std::move(status.conditions), *ready, generation, now);
  status.downstream_targets = targets(snapshot, outcome.built);
  if (auto upstream = resolved(snapshot)) status.upstream = std::move(upstream);
  if (outcome.built) {
    status.injected = outcome.built->injected;
    const Step& step = outcome.decision.step;
    const bool merged = std::holds_alternative<UpgradeNewDraft>(step) ||
                        std::holds_alternative<UpgradeInPlace>(step);
    if (merged || std::holds_alternative<Clone>(step))
      status.merge_conflicts = outcome.built->conflicts;
  }
  return status;
}

}  // namespace portico::variants
