#include "controllers/variant_index.h"

#include "api/kinds.h"

namespace portico::controllers {

using json::Value;

std::vector<VariantIndex::Dependency> VariantIndex::dependencies(const std::string& ns,
                                                                 const Value& variant) {
  using What = Dependency::What;
  std::vector<Dependency> out;
  for (const char* side : {"upstream", "downstream"}) {
    const Value& package = variant["spec"][side];
    const std::string repo(package["repo"].as_string());
    out.push_back({What::kPackage, ns, repo, std::string(package["package"].as_string())});
    out.push_back({What::kRepository, ns, repo, ""});
  }
  for (const Value& injector : variant["spec"]["injectors"].items())
    out.push_back({What::kInjected, ns, std::string(injector["name"].as_string()),
                   std::string(injector["kind"].as_string())});
  return out;
}

void VariantIndex::put(const krm::ObjectKey& key, const Value& variant) {
  if (const auto known = of_.find(key); known != of_.end()) {
    for (const auto& needed : known->second) {
      needed->second.erase(&known->first);
      if (needed->second.empty()) dependents_.erase(needed);
    }
    of_.erase(known);
  }
  if (variant.is_null()) return;
  const auto fresh = of_.try_emplace(key).first;
  for (Dependency& each : dependencies(key.ns, variant)) {
    const auto needed = dependents_.try_emplace(std::move(each)).first;
    if (needed->second.insert(&fresh->first).second) fresh->second.push_back(needed);
  }
}

std::set<krm::ObjectKey> VariantIndex::concerned(const Value& object) const {
  using What = Dependency::What;
  std::set<krm::ObjectKey> out;
  const krm::ObjectKey key = krm::object_key(object);
  const auto add = [&](const Dependency& dependency) { add_dependents(dependency, out); };
  if (key.type.group == api::kConfigGroup && key.type.kind == api::kVariantKind) out.insert(key);
  if (key.type.group == api::kPorchGroup && key.type.kind == api::kRevisionKind) {
    add({What::kPackage, key.ns, std::string(object["spec"]["repository"].as_string()),
         std::string(object["spec"]["packageName"].as_string())});
    for (const krm::OwnerReference& owner : krm::owners_of(object))
      if (owner.kind == api::kVariantKind)
        if (krm::ObjectKey variant{
                {std::string(api::kConfigGroup), owner.kind}, key.ns, owner.name};
            of_.contains(variant))
          out.insert(std::move(variant));
    return out;
  }
  // Which functions a package uses is known only when it is rendered.
  if (key.type.group == api::kConfigGroup && key.type.kind == api::kFunctionConfigKind)
    for (const auto& [variant, needs] : of_) out.insert(variant);
  if (key.type.group == api::kConfigGroup && key.type.kind == api::kRepositoryKind)
    add({What::kRepository, key.ns, key.name, ""});
  add({What::kInjected, key.ns, key.name, ""});
  add({What::kInjected, key.ns, key.name, key.type.kind});
  return out;
}

std::set<krm::ObjectKey> VariantIndex::concerned_by_downstream_of(const Value& variant) const {
  std::set<krm::ObjectKey> out;
  const Value& downstream = variant["spec"]["downstream"];
  add_dependents(
      {Dependency::What::kPackage, std::string(krm::namespace_of(variant)),
       std::string(downstream["repo"].as_string()), std::string(downstream["package"].as_string())},
      out);
  return out;
}

void VariantIndex::add_dependents(const Dependency& dependency,
                                  std::set<krm::ObjectKey>& out) const {
  if (const auto at = dependents_.find(dependency); at != dependents_.end())
    for (const krm::ObjectKey* variant : at->second) out.insert(*variant);
}

}  // namespace portico::controllers
