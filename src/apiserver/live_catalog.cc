#include "apiserver/live_catalog.h"

#include "kubeapi/definition_rules.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::Catalog;

namespace {

const krm::GroupKind& definition_kind() {
  static const krm::GroupKind kKind{"apiextensions.k8s.io", "CustomResourceDefinition"};
  return kKind;
}

const Catalog& builtin() {
  static const Catalog kBuiltin = kubeapi::builtin_catalog();
  return kBuiltin;
}

Catalog only(const Catalog& all, const std::string& group) {
  Catalog out;
  for (const Catalog::Type& type : all.resources(group)) out = out.with(type);
  return out;
}

Catalog::Type builtin_of(const Value& definition) {
  return builtin().find(definition["spec"]["group"].as_string(),
                        definition["spec"]["names"]["plural"].as_string());
}

}  // namespace

LiveCatalog::LiveCatalog(std::string only_group)
    : only_group_(std::move(only_group)),
      catalog_(std::make_shared<const Catalog>(
          only_group_.empty() ? builtin() : only(builtin(), only_group_))) {}

Result<std::unique_ptr<LiveCatalog>> LiveCatalog::open(const registry::Registry& registry,
                                                       const std::string& only_group) {
  std::unique_ptr<LiveCatalog> out(new LiveCatalog(only_group));
  PORTICO_TRY(const registry::Listing all, registry.list({.type = definition_kind()}));
  for (const Value& definition : all.objects) out->put(definition);
  return out;
}

std::shared_ptr<const Catalog> LiveCatalog::now() const {
  return catalog_.with([](const auto& catalog) { return catalog; });
}

bool LiveCatalog::is_served(const Value& definition) const {
  return only_group_.empty() || definition["spec"]["group"].as_string() == only_group_;
}

bool LiveCatalog::is_builtin(const Value& definition) { return builtin_of(definition) != nullptr; }

void LiveCatalog::put(const Value& definition) {
  if (!is_served(definition)) return;
  // A definition does not replace a type that Kubernetes compiles in.
  if (is_builtin(definition) && definition["spec"]["group"].as_string().ends_with(".k8s.io"))
    return;
  const auto type = kubeapi::type_of_definition(definition);
  if (!type || *type == nullptr || !kubeapi::is_established(definition)) {
    remove(definition);
    return;
  }
  catalog_.with(
      [&](auto& catalog) { catalog = std::make_shared<const Catalog>(catalog->with(*type)); });
}

void LiveCatalog::remove(const Value& definition) {
  if (!is_served(definition)) return;
  const std::string_view group = definition["spec"]["group"].as_string(),
                         plural = definition["spec"]["names"]["plural"].as_string();
  const Catalog::Type kept = builtin_of(definition);
  catalog_.with([&](auto& catalog) {
    catalog = std::make_shared<const Catalog>(kept != nullptr ? catalog->with(kept)
                                                              : catalog->without(group, plural));
  });
}

}  // namespace portico::apiserver
