#include "variants/set_decide.h"

#include <fmt/format.h>

#include "api/refusal.h"
#include "variants/upstream.h"

namespace portico::variants {

namespace {

SetDecision stalled(std::string reason, std::string message) {
  SetDecision decision;
  decision.stall = Stall{std::move(reason), std::move(message)};
  return decision;
}

}  // namespace

SetDecision decide_set(const SetSnapshot& snapshot, const Result<CompiledSet>& compiled) {
  const api::PackageVariantSetSpec& spec = snapshot.set->spec;
  if (const auto errors = api::validate(spec); !errors.empty())
    return stalled("ValidationError", api::text_of(errors));
  if (!compiled) return stalled("ValidationError", compiled.error().text());

  const auto upstream = resolve_upstream(*spec.upstream, snapshot.upstreams);
  if (!upstream)
    return stalled(
        upstream.error().code == Code::kNotFound ? "UpstreamNotFound" : "ValidationError",
        upstream.error().text());

  auto desired = desired_variants(snapshot, *compiled, *upstream);
  if (!desired)
    return stalled(
        desired.error().code == Code::kNotFound ? "NoMatchingTargets" : "ValidationError",
        desired.error().text());

  SetDecision decision;
  for (const DesiredVariant& one : desired->variants) decision.wanted.push_back(one.key);
  SetPlan made = plan(snapshot, *desired);
  decision.actions = std::move(made.actions);
  decision.failures = std::move(desired->failures);
  if (made.guard) decision.stall = Stall{"DeletionGuard", *std::move(made.guard)};
  return decision;
}

}  // namespace portico::variants
