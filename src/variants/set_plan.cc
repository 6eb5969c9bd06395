#include "variants/set_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "api/kinds.h"
#include "variants/naming.h"

namespace portico::variants {

namespace {

using VariantPtr = std::shared_ptr<const api::PackageVariant>;

constexpr std::size_t kGuardedFrom = 3;  // so many variants never go at once unasked

VariantKey key_of(const api::PackageVariant& variant) {
  const auto& downstream = variant.spec.downstream;
  return downstream ? VariantKey{downstream->repo, downstream->package} : VariantKey{};
}

/// Of two variants for one pair the one that has something to lose stays: the one with downstream
/// revisions, else the older one.
bool stays_before(const VariantPtr& a, const VariantPtr& b) {
  const auto rank = [](const VariantPtr& one) {
    return std::tuple(one->status.downstream_targets.empty(), one->metadata.creation_timestamp,
                      one->metadata.name);
  };
  return rank(a) < rank(b);
}

/// "upstream, labels": the fields of the spec that are not the same.
std::string changed_fields(const api::PackageVariantSpec& was, const api::PackageVariantSpec& is) {
  const json::Value before = api::encode(was), after = api::encode(is);
  std::set<std::string_view> names;
  for (const json::Value* one : {&before, &after})
    for (const json::Member& member : one->members())
      if (before[member.name()] != after[member.name()]) names.insert(member.name());
  return fmt::format("{}", fmt::join(names, ", "));
}

bool has_selector(const api::PackageVariantSetSpec& spec) {
  const auto targets = spec.target_list();
  return std::any_of(targets.begin(), targets.end(), [](const api::Target& target) {
    return target.repository_selector || target.object_selector;
  });
}

bool deletion_confirmed(const api::PackageVariantSet& set) {
  if (set.spec.deletion_guard == "off") return true;
  const auto& annotations = set.metadata.annotations;
  const auto confirmed = annotations.find(std::string(api::kConfirmDeletion));
  return confirmed != annotations.end() &&
         confirmed->second == std::to_string(set.metadata.generation);
}

api::PackageVariant made_for(const api::PackageVariantSet& set, const DesiredVariant& desired,
                             std::string name) {
  api::PackageVariant variant;
  variant.metadata.name = std::move(name);
  variant.metadata.ns = set.metadata.ns;
  variant.metadata.labels[std::string(api::kVariantSetLabel)] = set.metadata.uid;
  variant.metadata.finalizers = {std::string(api::kVariantFinalizer)};
  krm::OwnerReference owner;
  owner.api_version = api::kConfigV1Alpha2;
  owner.kind = api::kVariantSetKind;
  owner.name = set.metadata.name;
  owner.uid = set.metadata.uid;
  owner.controller = true;
  variant.metadata.owners = {std::move(owner)};
  variant.spec = desired.spec;
  return variant;
}

class Planner {
 public:
  Planner(const SetSnapshot& snapshot, const DesiredSet& desired)
      : set_(*snapshot.set), desired_(desired), taken_(snapshot.foreign_names) {
    for (const VariantPtr& variant : snapshot.variants) {
      taken_.insert(variant->metadata.name);
      const auto [at, is_first] = observed_.emplace(key_of(*variant), variant);
      if (is_first) continue;
      surplus_.push_back(variant);
      if (stays_before(variant, at->second)) std::swap(at->second, surplus_.back());
    }
    for (const DesiredVariant& one : desired.variants) wanted_.insert(one.key);
    for (const FailedTarget& failure : desired.failures) {
      if (failure.key) {
        untouched_.insert(*failure.key);
      } else {
        all_untouched_ = true;
      }
    }
  }

  SetPlan run() && {
    deletions();
    for (const DesiredVariant& one : desired_.variants) write(one);
    return std::move(plan_);
  }

 private:
  void deletions() {
    std::vector<SetAction> deletions;
    for (const auto& [key, variant] : observed_) {
      if (variant->metadata.deleting() || wanted_.contains(key)) continue;
      if (all_untouched_ || untouched_.contains(key)) continue;
      deletions.push_back({Verb::kDelete, key, variant,
                           fmt::format("no target gives \"{}\" any more", key.text())});
    }
    if (deletions.size() >= kGuardedFrom && deletions.size() == observed_.size() &&
        wanted_.empty() && has_selector(set_.spec) && !deletion_confirmed(set_)) {
      plan_.guard = fmt::format(
          "the selectors match nothing, so all {} PackageVariants would be deleted; annotate the "
          "set with {}=\"{}\" to confirm",
          deletions.size(), api::kConfirmDeletion, set_.metadata.generation);
      return;
    }
    for (const VariantPtr& variant : surplus_)
      if (!variant->metadata.deleting())
        deletions.push_back({Verb::kDelete, key_of(*variant), variant,
                             fmt::format("\"{}\" has another PackageVariant of this set",
                                         key_of(*variant).text())});
    plan_.actions = std::move(deletions);
  }

  void write(const DesiredVariant& desired) {
    const auto at = observed_.find(desired.key);
    if (at == observed_.end()) {
      std::string name = variant_name(set_.metadata.name, desired.key, taken_);
      taken_.insert(name);
      plan_.actions.push_back(
          {Verb::kCreate, desired.key,
           std::make_shared<const api::PackageVariant>(made_for(set_, desired, std::move(name))),
           fmt::format("spec.targets[{}] gives \"{}\"", desired.target, desired.key.text())});
      return;
    }
    const VariantPtr& have = at->second;
    if (have->metadata.deleting() || have->spec == desired.spec) return;
    api::PackageVariant changed = *have;
    changed.spec = desired.spec;
    plan_.actions.push_back(
        {Verb::kUpdate, desired.key,
         std::make_shared<const api::PackageVariant>(std::move(changed)),
         fmt::format("spec differs in {}", changed_fields(have->spec, desired.spec))});
  }

  const api::PackageVariantSet& set_;
  const DesiredSet& desired_;
  std::set<std::string, std::less<>> taken_;
  std::map<VariantKey, VariantPtr> observed_;
  std::vector<VariantPtr> surplus_;
  std::set<VariantKey> wanted_;
  std::set<VariantKey> untouched_;
  bool all_untouched_ = false;
  SetPlan plan_;
};

}  // namespace

const char* name(Verb verb) {
  switch (verb) {
    case Verb::kCreate:
      return "create";
    case Verb::kUpdate:
      return "update";
    case Verb::kDelete:
      return "delete";
  }
  return "create";
}

SetPlan plan(const SetSnapshot& snapshot, const DesiredSet& desired) {
  return Planner(snapshot, desired).run();
}

}  // namespace portico::variants
