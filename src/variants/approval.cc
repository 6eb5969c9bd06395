#include "variants/approval.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "api/approval.h"

namespace portico::variants {

using std::chrono::milliseconds;

namespace {

// An approval rule and its origin, which determines when its wait starts.
struct Rule {
  api::ApprovalRule rule;
  bool nephio = false;
};

const std::string* annotation(const api::StringMap& annotations, std::string_view name) {
  const auto at = annotations.find(std::string(name));
  return at == annotations.end() ? nullptr : &at->second;
}

Rule rule_of(const api::PackageVariant& variant, const Revision& revision, Stage stage) {
  if (const auto& approval = variant.spec.approval) {
    const auto& rule = stage == Stage::kPropose ? approval->propose : approval->approve;
    return {rule.value_or(api::ApprovalRule{}), false};
  }
  for (const api::StringMap* annotations :
       {&revision.object->metadata.annotations, &variant.spec.annotations,
        &variant.metadata.annotations}) {
    const std::string* policy = annotation(*annotations, api::kNephioPolicy);
    if (policy == nullptr) continue;
    if (*policy != "initial" && *policy != "always") return {};
    const std::string* delay = annotation(*annotations, api::kNephioDelay);
    return {{*policy, delay != nullptr ? *delay : "", {}}, true};
  }
  return {};
}

// A wait that does not parse is reported by the validation or by verdict().
milliseconds wait_of(const Rule& rule) {
  if (rule.rule.after.empty()) return milliseconds(0);
  const auto wait = api::parse_wait(rule.rule.after);
  return wait ? *wait : milliseconds(0);
}

bool is_true(const Revision& revision, std::string_view type) {
  const auto& conditions = revision.object->status.conditions;
  return std::any_of(conditions.begin(), conditions.end(), [&](const api::Condition& each) {
    return each.type == type && each.status == "True";
  });
}

const Revision* published_of_package(const VariantSnapshot& snapshot, const Revision& revision) {
  for (const Revision& each : snapshot.downstreams)
    if (each.published() && each.spec().repository == revision.spec().repository &&
        each.spec().package_name == revision.spec().package_name)
      return &each;
  return nullptr;
}

bool unedited(const Revision& revision) {
  const auto& pristine = revision.object->status.pristine;
  return pristine && !revision.tree.empty() && pristine->tree == revision.tree;
}

// What blocks a policy that applies; "" if nothing does.
std::string obstacle(const VariantSnapshot& snapshot, const Revision& revision, const Rule& rule,
                     Stage stage) {
  const api::PackageRevisionStatus& status = revision.object->status;
  if (const auto& rejection = status.rejection;
      stage == Stage::kPropose && rejection && rejection->tree == revision.tree)
    return fmt::format("rejected by {} and not changed since", rejection->by);
  if (!snapshot.variant->status.merge_conflicts.empty()) return "it has merge conflicts";
  if (const auto gate = api::unmet_gate(*revision.object))
    return fmt::format("readiness gate \"{}\" is not met", *gate);
  for (const std::string& type : rule.rule.conditions)
    if (!is_true(revision, type)) return fmt::format("condition \"{}\" is not True", type);
  return "";
}

std::string since_text(const Rule& rule, Stage stage) {
  if (rule.nephio) return "it was created";
  return stage == Stage::kPropose ? "the draft last changed" : "it was proposed";
}

// The start of the rule's wait; nullopt if it starts now.
std::optional<TimePoint> since(const VariantSnapshot& snapshot, const Revision& revision,
                               const Rule& rule) {
  std::string_view text;
  if (rule.nephio) {
    text = revision.object->metadata.creation_timestamp;
  } else {
    for (const api::DownstreamTarget& target : snapshot.variant->status.downstream_targets)
      if (target.name == revision.name() && target.lifecycle == revision.spec().lifecycle &&
          target.tree == revision.tree)
        text = target.since;
  }
  const auto time = parse_rfc3339(text);
  return time ? std::optional(*time) : std::nullopt;
}

}  // namespace

bool waits(const api::PackageVariant& variant, const Revision& revision) {
  const bool proposed = revision.is(krm::Lifecycle::kProposed);
  if (!proposed && revision.published()) return false;
  const Rule rule = rule_of(variant, revision, proposed ? Stage::kApprove : Stage::kPropose);
  return !rule.nephio && wait_of(rule).count() > 0;
}

std::optional<Verdict> verdict(const VariantSnapshot& snapshot, const Revision& revision,
                               Stage stage) {
  const Rule rule = rule_of(*snapshot.variant, revision, stage);
  const std::string& policy = rule.rule.policy;
  if (policy.empty() || policy == "never") return std::nullopt;
  if (policy == "initial")
    if (const Revision* published = published_of_package(snapshot, revision))
      return Verdict{
          false,
          {},
          fmt::format("policy initial, but \"{}\" is already published", published->name())};
  if (policy == "unedited" && !unedited(revision)) return Verdict{false, {}, "it has local edits"};
  if (std::string why = obstacle(snapshot, revision, rule, stage); !why.empty())
    return Verdict{false, {}, std::move(why)};
  if (rule.nephio && !rule.rule.after.empty())
    if (const auto wait = api::parse_wait(rule.rule.after); !wait)
      return Verdict{false, {}, fmt::format("{}: {}", api::kNephioDelay, wait.error().what)};
  const milliseconds wait = wait_of(rule);
  std::string why = "policy " + policy;
  if (wait.count() == 0) return Verdict{true, {}, std::move(why)};
  why += fmt::format(", {} after {}", rule.rule.after, since_text(rule, stage));
  const TimePoint due = since(snapshot, revision, rule).value_or(snapshot.now) + wait;
  if (due <= snapshot.now) return Verdict{true, {}, std::move(why)};
  return Verdict{false, due, std::move(why)};
}

}  // namespace portico::variants
