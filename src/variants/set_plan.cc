#include "variants/set_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "api/kinds.h"
#include "krm/meta.h"
#include "variants/naming.h"

namespace portico::variants {

namespace {

using VariantPtr = std::shared_ptr<const api::PackageVariant>;

constexpr std::size_t kGuardedFrom = 3;  // this many deletions at once need confirmation
constexpr std::size_t kGuardedPart = 3;  // if they are more than 1/kGuardedPart of all variants
constexpr std::size_t kNamed = 10;       // deletions named in the message of a hold

VariantKey key_of(const api::PackageVariant& variant) {
  const auto& downstream = variant.spec.downstream;
  return downstream ? VariantKey{downstream->repo, downstream->package} : VariantKey{};
}

/// Of two variants for one pair, the one with more to lose stays: the one with downstream
/// revisions, or else the older one.
bool stays_before(const VariantPtr& a, const VariantPtr& b) {
  const auto rank = [](const VariantPtr& one) {
    return std::tuple(one->status.downstream_targets.empty(), one->metadata.creation_timestamp,
                      one->metadata.name);
  };
  return rank(a) < rank(b);
}

/// "upstream, labels": the fields of the spec that differ.
std::string changed_fields(const api::PackageVariantSpec& was, const api::PackageVariantSpec& is) {
  const json::Value before = api::encode(was), after = api::encode(is);
  std::set<std::string_view> names;
  for (const json::Value* one : {&before, &after})
    for (const json::Member& member : one->members())
      if (before[member.name()] != after[member.name()]) names.insert(member.name());
  return fmt::format("{}", fmt::join(names, ", "));
}

bool deletion_confirmed(const api::PackageVariantSet& set) {
  if (set.spec.deletion_guard == "off") return true;
  if (set.spec.targets && set.spec.targets->empty()) return true;
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
      : set_(*snapshot.set),
        desired_(desired),
        asked_(snapshot.asked),
        taken_(snapshot.foreign_names) {
    for (const json::Value& one : snapshot.repositories) repositories_.insert(krm::name_of(one));
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
    std::vector<SetAction> unwanted;
    std::size_t going = 0, all = 0;
    for (const auto& [key, variant] : observed_) {
      ++all;
      if (wanted_.contains(key) || untouched_.contains(key)) continue;
      ++going;
      if (!variant->metadata.deleting())
        unwanted.push_back(
            {Verb::kDelete, key, variant, fmt::format("no target yields \"{}\"", key.text())});
    }
    // Includes the variants still to be created, so that the count does not change once they exist.
    for (const auto& key : wanted_)
      if (!observed_.contains(key)) ++all;
    hold_back(unwanted, going, all);
    for (const VariantPtr& variant : surplus_)
      if (!variant->metadata.deleting())
        unwanted.push_back({Verb::kDelete, key_of(*variant), variant,
                            fmt::format("\"{}\" already has another PackageVariant of this set",
                                        key_of(*variant).text())});
    plan_.actions = std::move(unwanted);
  }

  /// Removes the deletions from `unwanted` that must be withheld.
  void hold_back(std::vector<SetAction>& unwanted, std::size_t going, std::size_t all) {
    if (unwanted.empty()) return;
    const bool confirmed = deletion_confirmed(set_);
    if (confirmed && !all_untouched_) return;
    if (!confirmed && going >= kGuardedFrom && (going * kGuardedPart > all || guarded_before())) {
      std::string why =
          fmt::format("{} variants would be deleted at once, more than a third of the set", going);
      if (!desired_.failures.empty()) why += ", while " + unresolved();
      hold(Hold::Why::kTooMany, std::move(why), !all_untouched_, std::exchange(unwanted, {}));
    } else if (!desired_.failures.empty()) {
      hold(Hold::Why::kTargetsUnresolved, unresolved(), !all_untouched_,
           std::exchange(unwanted, {}));
    } else {
      const auto lost =
          std::stable_partition(unwanted.begin(), unwanted.end(), [&](const SetAction& action) {
            return is_registered(action.key.repo) || action.key.repo.empty();
          });
      if (lost == unwanted.end()) return;
      std::vector<SetAction> held(std::make_move_iterator(lost),
                                  std::make_move_iterator(unwanted.end()));
      unwanted.erase(lost, unwanted.end());
      std::string why = fmt::format("repository \"{}\" is not registered", held[0].key.repo);
      hold(Hold::Why::kRepositoryNotFound, std::move(why), true, std::move(held));
    }
  }

  bool is_registered(const std::string& repository) {
    if (repositories_.contains(repository)) return true;
    if (!asked_.repositories.contains(repository)) plan_.asks.repositories.insert(repository);
    return false;
  }

  /// Variants created since, possibly under other names, must not disable the guard.
  bool guarded_before() const {
    const api::Condition* held = api::find_condition(set_.status.conditions, api::kDeletionsHeld);
    return held != nullptr && held->status == "True" && held->reason == name(Hold::Why::kTooMany);
  }

  /// "spec.targets[0], spec.targets[2] do not resolve".
  std::string unresolved() const {
    std::set<std::size_t> indexes;
    for (const FailedTarget& failure : desired_.failures) indexes.insert(failure.target);
    std::string names;
    for (const std::size_t index : indexes)
      names += fmt::format("{}spec.targets[{}]", names.empty() ? "" : ", ", index);
    return names + (indexes.size() == 1 ? " does not resolve" : " do not resolve");
  }

  void hold(Hold::Why why, std::string reason, bool confirmable, std::vector<SetAction> deletions) {
    std::string names;
    for (std::size_t i = 0; i < std::min(deletions.size(), kNamed); ++i)
      names += (i == 0 ? "" : ", ") + deletions[i].object->metadata.name;
    if (deletions.size() > kNamed) names += fmt::format(" and {} more", deletions.size() - kNamed);
    const std::string remedy =
        confirmable ? fmt::format(
                          "annotate the set with {}=\"{}\", or apply it with --confirm-deletions, "
                          "to delete them",
                          api::kConfirmDeletion, set_.metadata.generation)
                    : std::string("its variants are unknown, so none is deleted");
    plan_.hold = Hold{why, fmt::format("not deleted: {}: {}; {}", names, reason, remedy),
                      std::move(deletions)};
  }

  void write(const DesiredVariant& desired) {
    const auto at = observed_.find(desired.key);
    if (at == observed_.end()) {
      std::string name = variant_name(set_.metadata.name, desired.key, taken_);
      taken_.insert(name);
      if (!asked_.variants.contains(name)) plan_.asks.variants.insert(name);
      plan_.actions.push_back(
          {Verb::kCreate, desired.key,
           std::make_shared<const api::PackageVariant>(made_for(set_, desired, std::move(name))),
           fmt::format("spec.targets[{}] yields \"{}\"", desired.target, desired.key.text())});
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
  const Asked& asked_;
  std::set<std::string, std::less<>> taken_;
  std::set<std::string_view> repositories_;
  std::map<VariantKey, VariantPtr> observed_;
  std::vector<VariantPtr> surplus_;
  std::set<VariantKey> wanted_;
  std::set<VariantKey> untouched_;
  bool all_untouched_ = false;
  SetPlan plan_;
};

}  // namespace

const char* name(Hold::Why why) {
  switch (why) {
    case Hold::Why::kTargetsUnresolved:
      return "TargetsUnresolved";
    case Hold::Why::kTooMany:
      return "DeletionGuard";
    case Hold::Why::kRepositoryNotFound:
      return "RepositoryNotFound";
  }
  return "DeletionGuard";
}

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
