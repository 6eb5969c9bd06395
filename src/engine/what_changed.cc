#include "engine/what_changed.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "api/package_revision.h"
#include "api/package_variant.h"
#include "controllers/planner.h"
#include "controllers/set_index.h"
#include "packages/lineage.h"
#include "resources/state.h"

namespace portico::engine {

using controllers::PendingWork;
using controllers::PlannedSet;
using controllers::PlannedVariant;
using json::Value;

namespace {

using Objects = std::map<krm::ObjectKey, Value>;

Result<Objects> all_of(const registry::Registry& registry, const krm::GroupKind& type) {
  Objects out;
  PORTICO_TRY(const auto all, registry.list({.type = type}));
  for (const Value& object : all.objects) out.emplace(krm::object_key(object), object);
  return out;
}

std::string text(const Value& value) { return std::string(value.as_string()); }

variants::Revision as_revision(const Value& object) {
  api::PackageRevision named;
  named.metadata.name = krm::name_of(object);
  return {std::make_shared<const api::PackageRevision>(std::move(named)), "", ""};
}

variants::VariantKey downstream_of(const Value& variant) {
  const Value& downstream = variant["spec"]["downstream"];
  return {text(downstream["repo"]), text(downstream["package"])};
}

/// The step that turned `was` into `now`; nullopt if they are equivalent.
std::optional<variants::Step> step_of(const Value& was, const Value& now, bool first) {
  const variants::Revision revision = as_revision(now.is_null() ? was : now);
  if (was.is_null())
    return first ? variants::Step(variants::Clone{revision, ""})
                 : variants::Step(variants::UpgradeNewDraft{revision, revision, ""});
  if (now.is_null()) return variants::LetGo{{{revision, variants::Farewell::kDelete}}};
  const std::string_view before = was["spec"]["lifecycle"].as_string(),
                         after = now["spec"]["lifecycle"].as_string();
  if (before != after) {
    if (after == api::kDeletionProposed)
      return variants::LetGo{{{revision, variants::Farewell::kProposeDeletion}}};
    if (before == api::kDeletionProposed) return variants::Restore{{revision}};
    if (after == api::kPublished) return variants::Approve{revision};
    return after == api::kProposed ? variants::Step(variants::Propose{revision})
                                   : variants::Step(variants::TakeBack{revision});
  }
  if (was["status"]["upstreamLock"] != now["status"]["upstreamLock"])
    return variants::UpgradeInPlace{revision, revision};
  if (after == api::kDraft && was["status"]["tree"] != now["status"]["tree"])
    return variants::EditInPlace{revision, revision};
  return std::nullopt;
}

/// Whether the step creates content.
bool drafts_of(const variants::Step& step) {
  return std::holds_alternative<variants::Clone>(step) ||
         std::holds_alternative<variants::UpgradeNewDraft>(step) ||
         std::holds_alternative<variants::UpgradeInPlace>(step) ||
         std::holds_alternative<variants::EditInPlace>(step);
}

PlannedVariant planned(const krm::ObjectKey& key, const Value& variant, variants::Step step) {
  PlannedVariant out;
  out.key = key;
  out.downstream = downstream_of(variant);
  out.decision.step = std::move(step);
  return out;
}

/// What blocks a variant at the end, if anything.
std::optional<PlannedVariant> end_of(const krm::ObjectKey& key, const Value& variant,
                                     const PendingWork::Key& one) {
  if (!one.variant) return std::nullopt;
  const variants::Step& step = one.variant->step;
  const bool waits = std::holds_alternative<variants::WaitForReview>(step) ||
                     std::holds_alternative<variants::Stall>(step) ||
                     std::holds_alternative<variants::Suspended>(step);
  const bool failed = one.left == variants::WorkLeft::kFailed;
  if (!waits && !failed) return std::nullopt;
  PlannedVariant out = planned(key, variant, step);
  out.decision = *one.variant;
  if (failed) out.error = unavailable("{}", resources::state_of(variant));
  return out;
}

/// What happened to the packages of the variants among `keys`.
class Steps {
 public:
  Steps(const Objects& before, const Objects& now) {
    for (const Objects* const side : {&before, &now})
      for (const auto& [key, revision] : *side) {
        const auto& spec = revision["spec"];
        Change& change =
            by_package_[{key.ns, text(spec["repository"]), text(spec["packageName"])}][key.name];
        (side == &before ? change.was : change.now) = revision;
      }
  }

  std::vector<PlannedVariant> of(const krm::ObjectKey& key, const Value& variant) const {
    std::vector<PlannedVariant> out;
    const variants::VariantKey downstream = downstream_of(variant);
    const auto at = by_package_.find({key.ns, downstream.repo, downstream.package});
    if (at == by_package_.end()) return out;
    const bool first = std::all_of(at->second.begin(), at->second.end(),
                                   [](const auto& each) { return each.second.was.is_null(); });
    for (const auto& [name, change] : at->second) {
      auto step = step_of(change.was, change.now, first);
      if (!step) continue;
      PlannedVariant one = planned(key, variant, *std::move(step));
      if (drafts_of(one.decision.step)) {
        one.revision = name;
        one.workspace = text(change.now["spec"]["workspaceName"]);
      }
      out.push_back(std::move(one));
    }
    return out;
  }

 private:
  struct Change {
    Value was, now;
  };
  struct Package {
    std::string ns, repository, package;
    auto operator<=>(const Package&) const = default;
  };
  std::map<Package, std::map<std::string, Change>> by_package_;
};

variants::SetAction action(variants::Verb verb, const Value& variant) {
  api::PackageVariant named;
  named.metadata.name = krm::name_of(variant);
  return {verb, downstream_of(variant),
          std::make_shared<const api::PackageVariant>(std::move(named)), ""};
}

/// What each set did to its variants.
std::map<krm::ObjectKey, std::vector<variants::SetAction>> actions_of(const Objects& before,
                                                                      const Objects& now) {
  std::map<krm::ObjectKey, std::vector<variants::SetAction>> out;
  for (const auto& [key, variant] : now)
    if (const auto set = controllers::SetIndex::owner_of(variant)) {
      const auto was = before.find(key);
      if (was == before.end())
        out[*set].push_back(action(variants::Verb::kCreate, variant));
      else if (was->second["spec"] != variant["spec"])
        out[*set].push_back(action(variants::Verb::kUpdate, variant));
    }
  for (const auto& [key, variant] : before)
    if (!now.contains(key))
      if (const auto set = controllers::SetIndex::owner_of(variant))
        out[*set].push_back(action(variants::Verb::kDelete, variant));
  return out;
}

PlannedSet planned_set(const krm::ObjectKey& key, const PendingWork::Key& one,
                       std::vector<variants::SetAction> actions) {
  PlannedSet out;
  out.key = key;
  out.actions = std::move(actions);
  if (!one.set) return out;
  out.stall = one.set->stall;
  out.no_match = one.set->no_match;
  out.hold = one.set->hold;
  out.failures = one.set->failures;
  out.desired = one.set->wanted.size() + one.set->failures.size();
  return out;
}

}  // namespace

Result<controllers::Plan> what_changed(const registry::Registry& before,
                                       const registry::Registry& now,
                                       const std::map<krm::ObjectKey, PendingWork::Key>& keys,
                                       const std::set<krm::ObjectKey>& asked) {
  PORTICO_TRY(const Objects variants_before, all_of(before, api::variant_kind()));
  PORTICO_TRY(const Objects variants_now, all_of(now, api::variant_kind()));
  PORTICO_TRY(const Objects revisions_before, all_of(before, api::revision_kind()));
  PORTICO_TRY(const Objects revisions_now, all_of(now, api::revision_kind()));
  const auto actions = actions_of(variants_before, variants_now);
  const Steps steps(revisions_before, revisions_now);
  controllers::Plan out;
  std::set<krm::ObjectKey> about;
  for (const auto& [key, one] : keys) {
    about.insert(key);
    if (key.type == api::variant_set_kind()) {
      const auto at = actions.find(key);
      PlannedSet set = planned_set(
          key, one, at == actions.end() ? std::vector<variants::SetAction>() : at->second);
      if (!set.quiet()) out.sets.push_back(std::move(set));
    }
    if (key.type != api::variant_kind()) continue;
    const auto at = variants_now.find(key), was = variants_before.find(key);
    if (at == variants_now.end() && was == variants_before.end()) continue;
    const Value& variant = at != variants_now.end() ? at->second : was->second;
    for (PlannedVariant& step : steps.of(key, variant)) {
      step.removed = at == variants_now.end();
      out.variants.push_back(std::move(step));
    }
    if (auto end = end_of(key, variant, one)) out.variants.push_back(*std::move(end));
  }
  PORTICO_DO(controllers::compare(out, before, now, asked));
  std::map<krm::ObjectKey, Error> untold;
  for (const auto& [key, one] : keys)
    if (one.untold) untold.emplace(key, *one.untold);
  controllers::add_untold(out, untold);
  if (!asked.empty()) controllers::leave_to_others(out, about);
  return out;
}

}  // namespace portico::engine
