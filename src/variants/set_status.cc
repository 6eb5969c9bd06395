#include "variants/set_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/health.h"
#include "variants/suspension.h"

namespace portico::variants {

namespace {

constexpr std::size_t kListed = 20;  // failures in the status
constexpr std::size_t kNamed = 3;    // failures named in the message of Ready

api::Health health_of(const api::PackageVariant& variant) {
  return api::health_of(variant.status.conditions, variant.metadata.generation,
                        variant.status.observed_generation);
}

/// The message of the condition that makes it fail.
std::string what_fails(const api::PackageVariant& variant) {
  for (const std::string_view type : {api::kStalled, api::kReady})
    if (const api::Condition* one = api::find_condition(variant.status.conditions, type);
        one != nullptr && (one->status == "True") == (type == api::kStalled))
      return one->message;
  return "";
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

/// Counts the desired variants by health, and names the first failing ones.
struct Census {
  api::TargetCounts counts;
  std::vector<std::string> failing;  // "name: what its Ready says", at most kNamed
};

Census census(const SetSnapshot& snapshot, const SetDecision& decision,
              std::span<const FailedAction> failed_actions, std::span<const SetAction> left) {
  Census out;
  std::set<VariantKey> waiting;
  for (const SetAction& one : left) waiting.insert(one.key);
  std::set<VariantKey> failed;  // keys of failed actions and of failing desired variants
  const auto is_wanted = [&](const VariantKey& key) {
    return std::binary_search(decision.wanted.begin(), decision.wanted.end(), key);
  };
  // A failed deletion of a variant that is not wanted is no failed target.
  for (const FailedAction& one : failed_actions)
    if (is_wanted(one.key)) failed.insert(one.key);
  for (const auto& variant : snapshot.variants) {
    const api::Downstream downstream = variant->spec.downstream.value_or(api::Downstream{});
    VariantKey key{downstream.repo, downstream.package};
    if (!is_wanted(key) || waiting.contains(key)) continue;
    const api::Health health = health_of(*variant);
    if (health == api::Health::kFailing) {
      if (out.failing.size() < kNamed)
        out.failing.push_back(variant->metadata.name + ": " + what_fails(*variant));
      failed.insert(std::move(key));
    } else if (health == api::Health::kHealthy && !failed.contains(key)) {
      ++out.counts.ready;
    }
  }
  out.counts.desired = static_cast<std::int64_t>(decision.wanted.size() + decision.failures.size());
  out.counts.failed = static_cast<std::int64_t>(failed.size() + decision.failures.size());
  out.counts.waiting = out.counts.desired - out.counts.ready - out.counts.failed;
  return out;
}

/// Whether exactly the desired variants exist, as desired.
api::ConditionValue ready_value(const SetDecision& decision,
                                std::span<const FailedAction> failed_actions,
                                const std::vector<api::TargetFailure>& failures) {
  const auto no = [](std::string reason, std::string message) {
    return api::ConditionValue{std::string(api::kReady), false, std::move(reason),
                               std::move(message)};
  };
  if (decision.stall) return no(decision.stall->reason, decision.stall->message);
  if (!decision.failures.empty()) return no("TargetsFailed", summary(failures));
  if (!failed_actions.empty()) return no("UnexpectedError", summary(failures));
  if (decision.hold) return no(name(decision.hold->why), decision.hold->message);
  return {std::string(api::kReady), true, "Reconciled", "package variants successfully reconciled"};
}

api::ConditionValue stalled_value(const SetDecision& decision) {
  const std::string type(api::kStalled);
  if (decision.stall) return {type, true, decision.stall->reason, decision.stall->message};
  if (decision.hold && decision.hold->why == Hold::Why::kTooMany)
    return {type, true, name(decision.hold->why), decision.hold->message};
  return {type, false, "Valid", "all validation checks passed"};
}

api::ConditionValue variants_ready_value(const Census& census) {
  const api::TargetCounts& counts = census.counts;
  const std::string type(api::kVariantsReady);
  if (counts.desired == 0) return {type, true, "NoVariants", "no variants are desired"};
  if (counts.ready == counts.desired)
    return {type, true, "AllReady",
            fmt::format("{} of {} are ready", counts.ready, counts.desired)};
  std::string message = fmt::format("{} of {} are ready, {} waiting, {} failed", counts.ready,
                                    counts.desired, counts.waiting, counts.failed);
  for (std::size_t i = 0; i < census.failing.size(); ++i)
    message += (i == 0 ? ": " : "; ") + census.failing[i];
  return {type, false, counts.failed > 0 ? "VariantsFailed" : "VariantsWaiting",
          std::move(message)};
}

}  // namespace

api::PackageVariantSetStatus set_status(const SetSnapshot& snapshot, const SetDecision& decision,
                                        std::span<const FailedAction> failed_actions,
                                        TimePoint now) {
  const api::PackageVariantSet& set = *snapshot.set;
  api::PackageVariantSetStatus status = set.status;
  if (decision.suspended) {
    status.conditions =
        api::with_condition(std::move(status.conditions), suspended_value(*decision.suspended),
                            set.metadata.generation, now);
    return status;
  }
  status.observed_generation = set.metadata.generation;
  status.conditions = api::without_condition(std::move(status.conditions), api::kSuspended);
  const auto put = [&](const api::ConditionValue& value) {
    status.conditions =
        api::with_condition(std::move(status.conditions), value, set.metadata.generation, now);
  };
  const auto put_while = [&](bool is, std::string_view type, auto&& value) {
    if (is)
      put(value());
    else
      status.conditions = api::without_condition(std::move(status.conditions), type);
  };
  std::vector<api::TargetFailure> failures = failures_of(decision, failed_actions);
  put(stalled_value(decision));
  put(ready_value(decision, failed_actions, failures));
  // While the set is stalled, the information about its targets is kept: its variants still exist.
  if (decision.stall) return status;

  const Census counted = census(snapshot, decision, failed_actions, {});
  put(variants_ready_value(counted));
  put_while(decision.hold.has_value(), api::kDeletionsHeld, [&] {
    return api::ConditionValue{std::string(api::kDeletionsHeld), true, name(decision.hold->why),
                               decision.hold->message};
  });
  put_while(decision.no_match.has_value(), api::kNoMatchingTargets, [&] {
    return api::ConditionValue{std::string(api::kNoMatchingTargets), true, "NothingSelected",
                               *decision.no_match};
  });
  status.targets = counted.counts;
  failures.resize(std::min(failures.size(), kListed));
  status.failures = std::move(failures);
  return status;
}

api::PackageVariantSetStatus set_progress(const SetSnapshot& snapshot, const SetDecision& decision,
                                          std::span<const FailedAction> failed_actions,
                                          std::span<const SetAction> left, TimePoint now) {
  const api::PackageVariantSet& set = *snapshot.set;
  api::PackageVariantSetStatus status = set.status;
  const Census counted = census(snapshot, decision, failed_actions, left);
  status.conditions = api::with_condition(
      std::move(status.conditions), variants_ready_value(counted), set.metadata.generation, now);
  status.targets = counted.counts;
  return status;
}

}  // namespace portico::variants
