#include "variants/variant_status.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "api/health.h"
#include "variants/approval.h"
#include "variants/suspension.h"
#include "variants/upstream.h"

namespace portico::variants {

namespace {

std::vector<api::DownstreamTarget> targets(const api::PackageVariant& variant,
                                           const Downstreams& downstreams,
                                           const std::optional<Built>& built, TimePoint now) {
  std::vector<api::DownstreamTarget> out;
  for (const Revision& revision : downstreams.targets()) {
    api::DownstreamTarget target;
    target.name = revision.name();
    for (const api::DownstreamTarget& before : variant.status.downstream_targets)
      if (before.name == target.name) target = before;
    const std::string lifecycle = std::exchange(target.lifecycle, revision.spec().lifecycle);
    target.revision = revision.spec().revision;
    const bool same = lifecycle == target.lifecycle && target.tree == revision.tree;
    if (!waits(variant, revision)) {
      target.since = target.tree = "";
    } else if (!same || target.since.empty()) {
      target.since = rfc3339(now);
      target.tree = revision.tree;
    }
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

/// nullopt if more steps follow and there was no error.
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

/// nullopt if nothing was ever committed directly to the branch.
std::optional<api::ConditionValue> drifted_value(const api::PackageVariant& variant,
                                                 const Downstreams& downstreams) {
  const auto& head = downstreams.head;
  if (head && head->object->status.drift) {
    const api::Drift& drift = *head->object->status.drift;
    return api::ConditionValue{
        std::string(api::kDrifted), true, "CommitsOnBranch",
        fmt::format(
            "branch \"{}\" has changes to {} that are in no published revision: {}; files: {}",
            head->spec().workspace_name, variant.spec.downstream->package,
            fmt::join(drift.commits, "; "), fmt::join(drift.files, ", "))};
  }
  for (const api::Condition& each : variant.status.conditions)
    if (each.type == api::kDrifted)
      return api::ConditionValue{std::string(api::kDrifted), false, "AsPublished",
                                 "the branch matches the published revision"};
  return std::nullopt;
}

bool starts_afresh(const Step& step, const Built& built) {
  const auto* edit = std::get_if<EditNewDraft>(&step);
  return std::holds_alternative<UpgradeNewDraft>(step) || std::holds_alternative<Clone>(step) ||
         (edit != nullptr && built.revision != edit->base.name());
}

}  // namespace

api::PackageVariantStatus variant_status(const VariantSnapshot& snapshot,
                                         const VariantOutcome& outcome, TimePoint now) {
  const api::PackageVariant& variant = *snapshot.variant;
  api::PackageVariantStatus status = variant.status;
  const std::int64_t generation = variant.metadata.generation;
  // The rest is kept: it has not been checked since.
  if (std::holds_alternative<Suspended>(outcome.decision.step)) {
    status.conditions = api::with_condition(
        std::move(status.conditions), suspended_value(outcome.decision.reason), generation, now);
    return status;
  }
  status.conditions = api::without_condition(std::move(status.conditions), api::kSuspended);
  status.observed_generation = generation;
  status.conditions = api::with_condition(std::move(status.conditions),
                                          stalled_value(outcome.decision.step), generation, now);
  if (const auto ready = ready_value(outcome))
    status.conditions = api::with_condition(std::move(status.conditions), *ready, generation, now);
  const Downstreams downstreams = sort_downstreams(variant, snapshot.downstreams);
  if (const auto drifted = drifted_value(variant, downstreams))
    status.conditions =
        api::with_condition(std::move(status.conditions), *drifted, generation, now);
  // Without the Repository, its content is unknown.
  if (snapshot.downstream_repository && snapshot.downstream_read)
    status.downstream_targets = targets(variant, downstreams, outcome.built, now);
  if (auto upstream = resolved(snapshot)) status.upstream = std::move(upstream);
  if (outcome.built) {
    status.injected = outcome.built->injected;
    const bool target = std::any_of(
        status.downstream_targets.begin(), status.downstream_targets.end(),
        [&](const api::DownstreamTarget& each) { return each.name == outcome.built->revision; });
    if (!target)
      status.unchanged = api::UnchangedRevision{outcome.built->revision, outcome.built->tree,
                                                outcome.built->inputs_hash};
    // Conflicts stay listed until the draft is superseded: a new draft starts with an empty list.
    if (starts_afresh(outcome.decision.step, *outcome.built)) status.merge_conflicts.clear();
    for (const api::MergeConflict& each : outcome.built->conflicts)
      if (std::find(status.merge_conflicts.begin(), status.merge_conflicts.end(), each) ==
          status.merge_conflicts.end())
        status.merge_conflicts.push_back(each);
  }
  return status;
}

}  // namespace portico::variants
