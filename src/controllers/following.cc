#include "controllers/following.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "base/guarded.h"
#include "controllers/kinds.h"
#include "controllers/secret_index.h"
#include "controllers/set_index.h"
#include "controllers/variant_index.h"

namespace portico::controllers {
namespace {

using json::Value;

// A deleted object with just the fields that the indexes use.
Value bare(const krm::ObjectKey& key) {
  return Value::object({{"apiVersion", key.type.group.empty() ? "v1" : key.type.group + "/v1"},
                        {"kind", key.type.kind},
                        {"metadata", Value::object({{"name", key.name}, {"namespace", key.ns}})}});
}

/// The objects of one kind and namespace, as of the last call of look().
class Seen {
 public:
  /// Calls changed(key, before, now) for each object that has changed since; null: it did not or
  /// does not exist.
  template <class Changed>
  void look(const std::vector<Value>& objects, const Changed& changed) {
    ++looks_;
    for (const Value& now : objects) {
      auto at = all_.find(krm::name_of(now));
      if (at == all_.end()) at = all_.emplace(krm::name_of(now), One{}).first;
      at->second.look = looks_;
      if (is_same(at->second.object, now)) continue;
      changed(krm::object_key(now), at->second.object, now);
      at->second.object = now;
    }
    if (all_.size() == objects.size()) return;
    std::erase_if(all_, [&](const auto& each) {
      const bool is_gone = each.second.look != looks_;
      const Value& before = each.second.object;
      if (is_gone) changed(krm::object_key(before), before, Value());
      return is_gone;
    });
  }

 private:
  struct One {
    Value object = Value();
    std::uint64_t look = 0;
  };
  // A list from an API server yields new values each time, so same_as() alone is not enough.
  static bool is_same(const Value& before, const Value& now) {
    const registry::ResourceVersion version = krm::resource_version_of(now);
    return before.same_as(now) || (version != 0 && version == krm::resource_version_of(before) &&
                                   krm::uid_of(before) == krm::uid_of(now));
  }

  std::map<std::string, One, std::less<>> all_;
  std::uint64_t looks_ = 0;
};

/// The objects of one namespace that lead to other objects.
class Namespace {
 public:
  explicit Namespace(std::string ns) : ns_(std::move(ns)) {}

  /// Updates the indexes to the current state of the registry.
  Result<Done> catch_up(const registry::Registry& registry) {
    PORTICO_TRY(const auto variants, registry.list({.type = api::variant_kind(), .ns = ns_}));
    seen_variants_.look(variants.objects, [&](const auto& key, const Value& was, const Value& now) {
      variants_.put(key, now);
      if (const auto set = SetIndex::owner_of(was)) forget_member(*set, key);
      if (const auto set = SetIndex::owner_of(now)) members_[*set].insert(key);
    });
    PORTICO_TRY(const auto sets, registry.list({.type = api::variant_set_kind(), .ns = ns_}));
    seen_sets_.look(sets.objects,
                    [&](const auto& key, const Value&, const Value& now) { sets_.put(key, now); });
    PORTICO_TRY(const auto repositories,
                registry.list({.type = api::repository_kind(), .ns = ns_}));
    seen_repositories_.look(
        repositories.objects,
        [&](const auto& key, const Value&, const Value& now) { secrets_.put(key, now); });
    return Done{};
  }

  /// The objects that a change of `object` wakes, and whose own changes wake further objects.
  std::set<krm::ObjectKey> woken(const Value& object) const {
    std::set<krm::ObjectKey> out = variants_.concerned(object);
    const krm::ObjectKey key = krm::object_key(object);
    if (key.type != api::repository_kind()) out.merge(sets_.concerned(object, object));
    out.merge(secrets_.concerned(object));
    if (key.type == api::variant_kind())
      out.merge(woken(package(object["spec"]["downstream"]["repo"].as_string(),
                              object["spec"]["downstream"]["package"].as_string())));
    if (const auto at = members_.find(key); at != members_.end())
      out.insert(at->second.begin(), at->second.end());
    return out;
  }

  /// The objects that only count `object`. For a Repository these include the sets that may make
  /// variants in it.
  std::vector<krm::ObjectKey> counted_by(const Value& object) const {
    const krm::GroupKind type = krm::group_kind(object);
    std::vector<krm::ObjectKey> out;
    const auto add = [&](std::string_view repository) {
      if (!repository.empty())
        out.push_back({api::repository_kind(), ns_, std::string(repository)});
    };
    if (type == api::repository_kind())
      for (const krm::ObjectKey& set : sets_.concerned(object, object)) out.push_back(set);
    if (type == api::revision_kind()) add(object["spec"]["repository"].as_string());
    if (type == api::variant_kind()) {
      add(object["spec"]["downstream"]["repo"].as_string());
      if (auto set = SetIndex::owner_of(object)) out.push_back(*std::move(set));
    }
    return out;
  }

 private:
  void forget_member(const krm::ObjectKey& set, const krm::ObjectKey& variant) {
    const auto at = members_.find(set);
    if (at == members_.end()) return;
    at->second.erase(variant);
    if (at->second.empty()) members_.erase(at);
  }

  // A placeholder for any revision of the package, present or future.
  Value package(std::string_view repository, std::string_view name) const {
    return bare({api::revision_kind(), ns_, ""})
        .with("spec", Value::object({{"repository", repository}, {"packageName", name}}));
  }

  std::string ns_;
  Seen seen_variants_, seen_sets_, seen_repositories_;
  VariantIndex variants_;
  SetIndex sets_;
  SecretIndex secrets_;
  std::map<krm::ObjectKey, std::set<krm::ObjectKey>> members_;  // by set
};

}  // namespace

struct DependentsIndex::Kept {
  // Indexes that are not in use at the moment, by namespace.
  using Idle = std::multimap<std::string, std::unique_ptr<Namespace>>;
  static constexpr std::size_t kMostIdle = 4;

  /// A cached or new index, brought up to date.
  Result<std::unique_ptr<Namespace>> take(const registry::Registry& registry,
                                          const std::string& ns) {
    std::unique_ptr<Namespace> out = idle.with([&](Idle& all) -> std::unique_ptr<Namespace> {
      const auto at = all.find(ns);
      if (at == all.end()) return nullptr;
      return std::move(all.extract(at).mapped());
    });
    if (out == nullptr) out = std::make_unique<Namespace>(ns);
    PORTICO_DO(out->catch_up(registry));  // an index that fails to catch up is dropped
    return out;
  }
  void give_back(const std::string& ns, std::unique_ptr<Namespace> one) {
    idle.with([&](Idle& all) {
      if (all.size() < kMostIdle) all.emplace(ns, std::move(one));
    });
  }

  Guarded<Idle> idle;
};

DependentsIndex::DependentsIndex(const registry::Registry& registry)
    : registry_(registry), kept_(std::make_unique<Kept>()) {}
DependentsIndex::~DependentsIndex() = default;

Result<std::set<krm::ObjectKey>> DependentsIndex::following(
    const std::set<krm::ObjectKey>& asked) const {
  std::map<std::string, std::unique_ptr<Namespace>> namespaces;
  std::set<krm::ObjectKey> followed, out;
  std::vector<krm::ObjectKey> next(asked.begin(), asked.end());
  while (!next.empty()) {
    const krm::ObjectKey key = std::move(next.back());
    next.pop_back();
    if (!followed.insert(key).second) continue;
    out.insert(key);
    auto ns = namespaces.find(key.ns);
    if (ns == namespaces.end()) {
      PORTICO_TRY(auto taken, kept_->take(registry_, key.ns));
      ns = namespaces.emplace(key.ns, std::move(taken)).first;
    }
    auto object = registry_.get(key);
    if (!object && object.error().code != Code::kNotFound) return std::move(object).error();
    const Value now = object ? *std::move(object) : bare(key);
    for (const krm::ObjectKey& each : ns->second->woken(now)) next.push_back(each);
    for (krm::ObjectKey& each : ns->second->counted_by(now)) out.insert(std::move(each));
  }
  for (auto& [ns, index] : namespaces) kept_->give_back(ns, std::move(index));
  return out;
}

namespace {

// The upstream Repository of the set, and those in which its targets may want variants that do not
// exist yet.
Result<std::set<krm::ObjectKey>> repositories_of_set(const registry::Registry& registry,
                                                     const krm::ObjectKey& key) {
  std::set<krm::ObjectKey> out;
  const auto set = registry.get(key);
  if (!set && set.error().code == Code::kNotFound) return out;
  if (!set) return set.error();
  for (krm::ObjectKey& each :
       repositories(key.ns, {(*set)["spec"]["upstream"]["repo"].as_string()}))
    out.insert(std::move(each));
  SetIndex index;
  index.put(key, *set);
  PORTICO_TRY(const auto all, registry.list({.type = api::repository_kind(), .ns = key.ns}));
  for (const Value& repository : all.objects)
    if (!index.concerned(repository, repository).empty()) out.insert(krm::object_key(repository));
  return out;
}

}  // namespace

Result<std::set<krm::ObjectKey>> DependentsIndex::repositories_for(
    const std::set<krm::ObjectKey>& asked) const {
  PORTICO_TRY(const auto about, following(asked));
  std::set<krm::ObjectKey> out;
  for (const krm::ObjectKey& key : asked) {
    if (key.type != api::variant_set_kind()) continue;
    PORTICO_TRY(auto more, repositories_of_set(registry_, key));
    out.merge(more);
  }
  for (const krm::ObjectKey& key : about) {
    if (key.type == api::repository_kind()) out.insert(key);
    if (key.type != api::variant_kind()) continue;
    const auto variant = registry_.get(key);
    if (!variant) continue;
    const Value& spec = (*variant)["spec"];
    for (krm::ObjectKey& each : repositories(key.ns, {spec["upstream"]["repo"].as_string(),
                                                      spec["downstream"]["repo"].as_string()}))
      out.insert(std::move(each));
  }
  return out;
}

Result<std::set<krm::ObjectKey>> following(const registry::Registry& registry,
                                           const std::set<krm::ObjectKey>& asked) {
  return DependentsIndex(registry).following(asked);
}

Result<std::set<krm::ObjectKey>> repositories_for(const registry::Registry& registry,
                                                  const std::set<krm::ObjectKey>& asked) {
  return DependentsIndex(registry).repositories_for(asked);
}

}  // namespace portico::controllers
