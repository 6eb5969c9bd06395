#include "cli/undefined_kinds.h"

#include <set>

#include "resources/resources.h"

namespace portico::cli {

using json::Value;

namespace {

const krm::GroupKind& definition_kind() {
  static const krm::GroupKind kKind{"apiextensions.k8s.io", "CustomResourceDefinition"};
  return kKind;
}

krm::GroupKind defined_by(const Value& definition) {
  const Value& spec = definition["spec"];
  return {std::string(spec["group"].as_string()), std::string(spec["names"]["kind"].as_string())};
}

}  // namespace

Result<std::map<krm::GroupKind, std::string>> undefined_kinds(const registry::Registry& registry,
                                                              const std::vector<Value>& objects) {
  PORTICO_TRY(const registry::Listing stored, registry.list({.type = definition_kind()}));
  std::set<krm::GroupKind> defined;
  for (const Value& each : stored.objects) defined.insert(defined_by(each));
  for (const Value& each : objects)
    if (krm::group_kind(each) == definition_kind()) defined.insert(defined_by(each));
  std::map<krm::GroupKind, std::string> out;
  for (const Value& each : objects) {
    const krm::GroupKind kind = krm::group_kind(each);
    // Kinds of the core group cannot have a definition.
    if (kind.group.empty() || resources::is_always_there(kind) || defined.contains(kind)) continue;
    const std::string_view version = each["apiVersion"].as_string();
    out.emplace(kind, version.substr(version.find('/') + 1));
  }
  return out;
}

Result<std::map<krm::GroupKind, std::string>> undefined_kinds(const registry::Registry& registry) {
  std::vector<Value> one_of_each;
  for (const krm::GroupKind& kind : registry.kinds()) {
    PORTICO_TRY(const registry::Listing some, registry.list({.type = kind, .limit = 1}));
    for (const Value& each : some.objects) one_of_each.push_back(each);
  }
  return undefined_kinds(registry, one_of_each);
}

}  // namespace portico::cli
