#include "cli/definitions.h"

#include "resources/resources.h"

namespace portico::cli {

using json::Value;

namespace {

const krm::GroupKind& definition_kind() {
  static const krm::GroupKind kKind{"apiextensions.k8s.io", "CustomResourceDefinition"};
  return kKind;
}

bool defines(const Value& definition, const krm::GroupKind& kind) {
  const Value& spec = definition["spec"];
  return spec["group"].as_string() == kind.group && spec["names"]["kind"].as_string() == kind.kind;
}

}  // namespace

Result<std::vector<Value>> all_definitions(const registry::Registry& registry) {
  auto all = registry.list({.type = definition_kind()});
  if (!all && all.error().reason == Reason::kForbidden) return std::vector<Value>();
  if (!all) return std::move(all).error();
  return std::move(all->objects);
}

std::vector<Value> definitions_of(const registry::Registry& registry,
                                  const std::set<krm::GroupKind>& kinds) {
  std::vector<Value> out;
  for (const krm::GroupKind& kind : kinds) {
    if (kind.group.empty() || resources::is_always_there(kind)) continue;
    // Most names are the regular plural; a server may have hundreds of large definitions.
    auto one = registry.get({definition_kind(), "", resources::plural(kind) + "." + kind.group});
    if (one && defines(*one, kind)) {
      out.push_back(*std::move(one));
      continue;
    }
    const auto all = all_definitions(registry);
    if (!all) continue;
    if (Value found = definition_of(kind, *all); !found.is_null()) out.push_back(std::move(found));
  }
  return out;
}

std::vector<Value> definitions_of(const registry::Registry& registry,
                                  const std::vector<Value>& objects) {
  std::set<krm::GroupKind> kinds;
  for (const Value& object : objects) kinds.insert(krm::group_kind(object));
  return definitions_of(registry, kinds);
}

Value definition_of(const krm::GroupKind& kind, const std::vector<Value>& definitions) {
  for (const Value& each : definitions)
    if (defines(each, kind)) return each;
  return Value(nullptr);
}

}  // namespace portico::cli
