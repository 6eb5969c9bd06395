#include "variants/set_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/health.h"

namespace portico::variants {

namespace {

constexpr std::size_t kListed = 20;  // failures in the status
constexpr std::size_t kNamed = 3;    // of them in the message of Ready

api::Health health_of(const api::PackageVariant& variant) {
  return api::health_of(variant.status.conditions, variant.metadata.generation,
                        variant.status.observed_generation);
}

std::vector<api::TargetFailure> failures_of(const SetDecision& decision,
                                            std::span<const FailedAction> failed_actions) {
  std::vector<api::TargetFailure> failures;
  for (const FailedTarget& one : decision.failures)
    failures.push_back({one.key ? one.key->repo : one.repo_default,
                        one.key ? one.key->package : one.package_default, one.error.text()});
  for (const FailedAction& one : failed_actions)
    failures.push_back({one.key.repo, one.key.package, one.error.text()});
  return failures;
}

std::string summary(const std::vector<api::TargetFailure>& failures) {
  std::string message = failures.size() == 1 ? std::string("1 target failed")
                                             : fmt::format("{} targets failed", failures.size());
  for (std::size_t i = 0; i < failures.size() && i < kNamed; ++i)
    message += fmt::format("{} {}/{}: {}", i == 0 ? ":" : ";", failures[i].repo,
                           failures[i].package, failures[i].message);
  if (failures.size() > kNamed) message += "; ...";
  return message;
}

}  // namespace

api::PackageVariantSetStatus set_status(const SetSnapshot& snapshot, const SetDecision& decision,
                                        std::span<const FailedAction> failed_actions,
                                        TimePoint now) {
  const api::PackageVariantSet& set = *snapshot.set;
  api::PackageVariantSetStatus status = set.status;
  status.observed_generation = set.metadata.generation;

  api::ConditionValue stalled{std::string(api::kStalled), false, "Valid",
                              "all validation checks passed"};
  api::ConditionValue ready{std::string(api::kReady), true, "Reconciled",
                            "package variants successfully reconciled"};
  std::vector<api::TargetFailure> failures = failures_of(decision, failed_actions);
  if (decision.stall) {
    stalled = {std::string(api::kStalled), true, decision.stall->reason, decision.stall->message};
    ready = {std::string(api::kReady), false, decision.stall->reason, decision.stall->message};
  } else if (!failures.empty()) {
    const bool ours = decision.failures.empty();
    ready = {std::string(api::kReady), false, ours ? "UnexpectedError" : "TargetsFailed",
             summary(failures)};
  }
  status.conditions =
      api::with_condition(std::move(status.conditions), stalled, set.metadata.generation, now);
  status.conditions =
      api::with_condition(std::move(status.conditions), ready, set.metadata.generation, now);

  // What a stalled set knew about its targets is kept: its variants are still there.
  const bool targets_known = !decision.stall || decision.stall->reason == "DeletionGuard";
  if (!targets_known) return status;
  std::set<VariantKey> failed;  // of those that are wanted
  for (const FailedAction& one : failed_actions) failed.insert(one.key);
  api::TargetCounts counts;
  for (const auto& variant : snapshot.variants) {
    const api::Downstream downstream = variant->spec.downstream.value_or(api::Downstream{});
    VariantKey key{downstream.repo, downstream.package};
    if (!std::binary_search(decision.wanted.begin(), decision.wanted.end(), key)) continue;
    const api::Health health = health_of(*variant);
    if (health == api::Health::kFailing) {
      failed.insert(std::move(key));
    } else if (health == api::Health::kHealthy && !failed.contains(key)) {
      ++counts.ready;
    }
  }
  counts.desired = static_cast<std::int64_t>(decision.wanted.size() + decision.failures.size());
  counts.failed = static_cast<std::int64_t>(failed.size() + decision.failures.size());
  counts.waiting = counts.desired - counts.ready - counts.failed;
  status.targets = counts;
  failures.resize(std::min(failures.size(), kListed));
  status.failures = std::move(failures);
  return status;
}

}  // namespace portico::variants
