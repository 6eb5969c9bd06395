#include "controllers/set_observe.h"

#include "api/kinds.h"
#include "packages/lineage.h"

namespace portico::controllers {

using json::Value;

namespace {

krm::GroupKind config_kind(std::string_view kind) {
  return {std::string(api::kConfigGroup), std::string(kind)};
}

Result<std::vector<Value>> all_of(const registry::Registry& registry, krm::GroupKind type,
                                  const std::string& ns) {
  PORTICO_TRY(registry::Listing all, registry.list({.type = std::move(type), .ns = ns}));
  return std::move(all.objects);
}

// The set, without its variants.
Result<std::optional<variants::SetSnapshot>> observe_alone(const krm::ObjectKey& key,
                                                           const registry::Registry& registry,
                                                           Caches& caches) {
  const auto stored = registry.get(key);
  if (!stored && stored.error().code == Code::kNotFound)
    return std::optional<variants::SetSnapshot>();
  if (!stored) return stored.error();
  variants::SetSnapshot out;
  PORTICO_TRY(out.set, caches.sets.get(*stored));
  return std::optional(std::move(out));
}

}  // namespace

Result<std::optional<variants::SetSnapshot>> observe_variants_of(const krm::ObjectKey& key,
                                                                 const registry::Registry& registry,
                                                                 Caches& caches) {
  PORTICO_TRY(auto out, observe_alone(key, registry, caches));
  if (!out) return out;
  PORTICO_TRY(
      krm::LabelSelector own,
      krm::LabelSelector::decode(Value::object(
          {{"matchLabels", Value::object({{api::kVariantSetLabel, out->set->metadata.uid}})}})));
  PORTICO_TRY(const registry::Listing all, registry.list({.type = config_kind(api::kVariantKind),
                                                          .ns = key.ns,
                                                          .labels = std::move(own)}));
  for (const Value& object : all.objects) {
    PORTICO_TRY(auto variant, caches.variants.get(object));
    out->variants.push_back(std::move(variant));
  }
  return out;
}

Result<std::optional<variants::SetSnapshot>> observe_set(const krm::ObjectKey& key,
                                                         const registry::Registry& registry,
                                                         Caches& caches) {
  PORTICO_TRY(auto snapshot, observe_alone(key, registry, caches));
  if (!snapshot) return snapshot;
  variants::SetSnapshot& out = *snapshot;
  PORTICO_TRY(const auto all, all_of(registry, config_kind(api::kVariantKind), key.ns));
  for (const Value& object : all) {
    if (krm::label_of(object, api::kVariantSetLabel) != out.set->metadata.uid) {
      out.foreign_names.emplace(krm::name_of(object));
      continue;
    }
    PORTICO_TRY(auto variant, caches.variants.get(object));
    out.variants.push_back(std::move(variant));
  }
  const api::PackageVariantSetSpec& spec = out.set->spec;
  if (spec.upstream) {
    PORTICO_TRY(const auto upstreams, packages::revisions_of(registry, key.ns, spec.upstream->repo,
                                                             spec.upstream->package));
    for (const Value& object : upstreams) {
      PORTICO_TRY(variants::Revision revision, as_revision(object, caches));
      out.upstreams.push_back(std::move(revision));
    }
  }
  PORTICO_TRY(out.repositories, all_of(registry, config_kind(api::kRepositoryKind), key.ns));
  for (const variants::ObjectType& type : variants::selected_types(spec)) {
    const krm::GroupVersion version = krm::group_version(type.api_version);
    PORTICO_TRY(out.objects[type], all_of(registry, {version.group, type.kind}, key.ns));
  }
  return snapshot;
}

}  // namespace portico::controllers
