#include "apiserver/live_catalog.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::Catalog;

namespace {

const krm::GroupKind& definition_kind() {
  static const krm::GroupKind kKind{"apiextensions.k8s.io", "CustomResourceDefinition"};
  return kKind;
}

// What is compiled in keeps its place: a definition adds its schema and columns to it.
bool is_builtin(const Catalog& builtin, const Catalog::Type& type) {
  return builtin.find(type->names.group, type->names.plural) != nullptr;
}

}  // namespace

LiveCatalog::LiveCatalog()
    : catalog_(std::make_shared<const Catalog>(kubeapi::builtin_catalog())) {}

Result<std::unique_ptr<LiveCatalog>> LiveCatalog::open(const registry::Registry& registry) {
  std::unique_ptr<LiveCatalog> out(new LiveCatalog());
  PORTICO_TRY(const registry::Listing all, registry.list({.type = definition_kind()}));
  for (const Value& definition : all.objects) out->put(definition);
  return out;
}

std::shared_ptr<const Catalog> LiveCatalog::now() const {
  return catalog_.with([](const auto& catalog) { return catalog; });
}

void LiveCatalog::put(const Value& definition) {
  static const Catalog kBuiltin = kubeapi::builtin_catalog();
  const auto type = kubeapi::type_of_definition(definition);
  if (!type || *type == nullptr) {
    remove(definition);
    return;
  }
  if (is_builtin(kBuiltin, *type) && (*type)->names.group.ends_with(".k8s.io")) return;
  catalog_.with(
      [&](auto& catalog) { catalog = std::make_shared<const Catalog>(catalog->with(*type)); });
}

void LiveCatalog::remove(const Value& definition) {
  static const Catalog kBuiltin = kubeapi::builtin_catalog();
  const std::string_view group = definition["spec"]["group"].as_string(),
                         plural = definition["spec"]["names"]["plural"].as_string();
  const Catalog::Type builtin = kBuiltin.find(group, plural);
  catalog_.with([&](auto& catalog) {
    catalog = std::make_shared<const Catalog>(builtin != nullptr ? catalog->with(builtin)
                                                                 : catalog->without(group, plural));
  });
}

}  // namespace portico::apiserver
