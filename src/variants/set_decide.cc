#include "variants/set_decide.h"

#include <fmt/format.h>

#include "api/refusal.h"
#include "variants/suspension.h"
#include "variants/upstream.h"

namespace portico::variants {

namespace {

SetDecision stalled(std::string reason, std::string message) {
  SetDecision decision;
  decision.stall = Stall{std::move(reason), std::move(message)};
  return decision;
}

/// "spec.targets[0].repositorySelector and spec.targets[1].objectSelector match nothing".
std::optional<std::string> no_match(const api::PackageVariantSetSpec& spec,
                                    const DesiredSet& desired) {
  const auto targets = spec.target_list();
  if (targets.empty() || !desired.variants.empty() || !desired.failures.empty())
    return std::nullopt;
  // Lists always yield targets, so these are selectors.
  std::vector<std::string> selectors;
  for (std::size_t i = 0; i < targets.size(); ++i)
    selectors.push_back(
        fmt::format("spec.targets[{}].{}", i,
                    targets[i].repository_selector ? "repositorySelector" : "objectSelector"));
  return fmt::format("{} {} nothing", fmt::join(selectors, ", "),
                     selectors.size() == 1 ? "matches" : "match");
}

}  // namespace

SetDecision decide_set(const SetSnapshot& snapshot, const Result<CompiledSet>& compiled) {
  const api::PackageVariantSetSpec& spec = snapshot.set->spec;
  if (is_suspended(snapshot.set->metadata.annotations)) {
    SetDecision decision;
    decision.suspended = "suspended: its variants are not changed until it is resumed";
    return decision;
  }
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
  decision.hold = std::move(made.hold);
  decision.asks = std::move(made.asks);
  decision.asks.repositories.merge(desired->unknown_repositories);
  decision.no_match = no_match(spec, *desired);
  decision.failures = std::move(desired->failures);
  return decision;
}

}  // namespace portico::variants
