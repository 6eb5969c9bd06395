#include "controllers/following.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "controllers/kinds.h"
#include "controllers/secret_index.h"
#include "controllers/set_index.h"
#include "controllers/variant_index.h"

namespace portico::controllers {
namespace {

using json::Value;

// As much of an object as the indexes ask for, where it is gone.
Value bare(const krm::ObjectKey& key) {
  return Value::object({{"apiVersion", key.type.group.empty() ? "v1" : key.type.group + "/v1"},
                        {"kind", key.type.kind},
                        {"metadata", Value::object({{"name", key.name}, {"namespace", key.ns}})}});
}

/// The objects of one namespace that others lead to.
class Namespace {
 public:
  static Result<Namespace> read(const registry::Registry& registry, const std::string& ns) {
    Namespace out(ns);
    PORTICO_TRY(const auto variants, registry.list({.type = api::variant_kind(), .ns = ns}));
    for (const Value& variant : variants.objects) {
      const krm::ObjectKey key = krm::object_key(variant);
      out.variants_.put(key, variant);
      if (const auto set = SetIndex::owner_of(variant)) out.members_[*set].insert(key);
    }
    PORTICO_TRY(const auto sets, registry.list({.type = api::variant_set_kind(), .ns = ns}));
    for (const Value& set : sets.objects) out.sets_.put(krm::object_key(set), set);
    PORTICO_TRY(const auto repositories, registry.list({.type = api::repository_kind(), .ns = ns}));
    for (const Value& repository : repositories.objects)
      out.secrets_.put(krm::object_key(repository), repository);
    return out;
  }

  /// Those that a change of `object` wakes, whose own changes wake others.
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

  /// Those that only count it. A set may make variants in a Repository, and these are found there.
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
  explicit Namespace(std::string ns) : ns_(std::move(ns)) {}

  // A revision of it, such as may come.
  Value package(std::string_view repository, std::string_view name) const {
    return bare({api::revision_kind(), ns_, ""})
        .with("spec", Value::object({{"repository", repository}, {"packageName", name}}));
  }

  std::string ns_;
  VariantIndex variants_;
  SetIndex sets_;
  SecretIndex secrets_;
  std::map<krm::ObjectKey, std::set<krm::ObjectKey>> members_;  // by set
};

}  // namespace

Result<std::set<krm::ObjectKey>> following(const registry::Registry& registry,
                                           const std::set<krm::ObjectKey>& asked) {
  std::map<std::string, Namespace> namespaces;
  std::set<krm::ObjectKey> followed, out;
  std::vector<krm::ObjectKey> next(asked.begin(), asked.end());
  while (!next.empty()) {
    const krm::ObjectKey key = std::move(next.back());
    next.pop_back();
    if (!followed.insert(key).second) continue;
    out.insert(key);
    auto ns = namespaces.find(key.ns);
    if (ns == namespaces.end()) {
      PORTICO_TRY(Namespace read, Namespace::read(registry, key.ns));
      ns = namespaces.emplace(key.ns, std::move(read)).first;
    }
    auto object = registry.get(key);
    if (!object && object.error().code != Code::kNotFound) return std::move(object).error();
    const Value now = object ? *std::move(object) : bare(key);
    for (const krm::ObjectKey& each : ns->second.woken(now)) next.push_back(each);
    for (krm::ObjectKey& each : ns->second.counted_by(now)) out.insert(std::move(each));
  }
  return out;
}

namespace {

// Where its variants come from, and where it may want some that are not there yet.
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

Result<std::set<krm::ObjectKey>> repositories_for(const registry::Registry& registry,
                                                  const std::set<krm::ObjectKey>& asked) {
  PORTICO_TRY(const auto about, following(registry, asked));
  std::set<krm::ObjectKey> out;
  for (const krm::ObjectKey& key : asked) {
    if (key.type != api::variant_set_kind()) continue;
    PORTICO_TRY(auto more, repositories_of_set(registry, key));
    out.merge(more);
  }
  for (const krm::ObjectKey& key : about) {
    if (key.type == api::repository_kind()) out.insert(key);
    if (key.type != api::variant_kind()) continue;
    const auto variant = registry.get(key);
    if (!variant) continue;
    const Value& spec = (*variant)["spec"];
    for (krm::ObjectKey& each : repositories(key.ns, {spec["upstream"]["repo"].as_string(),
                                                      spec["downstream"]["repo"].as_string()}))
      out.insert(std::move(each));
  }
  return out;
}

}  // namespace portico::controllers
