#include "controllers/variant_observe.h"

#include <algorithm>

#include "api/kinds.h"
#include "controllers/repository.h"
#include "package/inject.h"
#include "packages/lineage.h"
#include "packages/package_store.h"
#include "variants/downstream.h"

namespace portico::controllers {

using json::Value;

namespace {

Result<std::vector<variants::Revision>> as_revisions(const std::vector<Value>& objects,
                                                     Caches& caches) {
  std::vector<variants::Revision> out;
  out.reserve(objects.size());
  for (const Value& object : objects) {
    PORTICO_TRY(variants::Revision revision, as_revision(object, caches));
    out.push_back(std::move(revision));
  }
  return out;
}

// The revisions of the downstream package and all others that the variant owns, without duplicates,
// by name.
Result<std::vector<Value>> downstreams_of(const api::PackageVariant& variant,
                                          const registry::Registry& registry) {
  std::vector<Value> out;
  if (variant.spec.downstream) {
    PORTICO_TRY(out,
                packages::revisions_of(registry, variant.metadata.ns, variant.spec.downstream->repo,
                                       variant.spec.downstream->package));
  }
  PORTICO_TRY(const registry::Listing owned,
              registry.list({.type = packages::revision_key("", "").type,
                             .ns = variant.metadata.ns,
                             .owner = variant.metadata.uid}));
  out.insert(out.end(), owned.objects.begin(), owned.objects.end());
  const auto by_name = [](const Value& a, const Value& b) {
    return krm::name_of(a) < krm::name_of(b);
  };
  std::stable_sort(out.begin(), out.end(), by_name);
  out.erase(std::unique(
                out.begin(), out.end(),
                [](const Value& a, const Value& b) { return krm::name_of(a) == krm::name_of(b); }),
            out.end());
  return out;
}

Result<std::vector<std::shared_ptr<const api::PackageVariant>>> rivals_of(
    const api::PackageVariant& variant, const registry::Registry& registry, Caches& caches) {
  std::vector<std::shared_ptr<const api::PackageVariant>> out;
  PORTICO_TRY(const auto all,
              packages::variants_of(registry, variant.metadata.ns, variant.spec.downstream->repo,
                                    variant.spec.downstream->package));
  for (const Value& object : all) {
    if (krm::name_of(object) == variant.metadata.name) continue;
    // One that does not decode can do nothing.
    if (auto rival = caches.variants.get(object)) out.push_back(*std::move(rival));
  }
  return out;
}

}  // namespace

Result<std::optional<variants::VariantSnapshot>> observe_variant(const krm::ObjectKey& key,
                                                                 const registry::Registry& registry,
                                                                 Caches& caches, TimePoint now) {
  const auto stored = registry.get(key);
  if (!stored && stored.error().code == Code::kNotFound)
    return std::optional<variants::VariantSnapshot>();
  if (!stored) return stored.error();

  variants::VariantSnapshot out;
  out.now = now;
  PORTICO_TRY(out.variant, caches.variants.get(*stored));
  const api::PackageVariant& variant = *out.variant;
  if (variant.spec.upstream) {
    PORTICO_TRY(const auto upstreams,
                packages::revisions_of(registry, key.ns, variant.spec.upstream->repo,
                                       variant.spec.upstream->package));
    PORTICO_TRY(out.upstreams, as_revisions(upstreams, caches));
  }
  PORTICO_TRY(const auto downstreams, downstreams_of(variant, registry));
  PORTICO_TRY(out.downstreams, as_revisions(downstreams, caches));
  if (variant.spec.downstream) {
    if (!variants::owns_downstream(variant, out.downstreams)) {
      PORTICO_TRY(out.rivals, rivals_of(variant, registry, caches));
    }
    const auto repository =
        registry.get({{std::string(api::kConfigGroup), std::string(api::kRepositoryKind)},
                      key.ns,
                      variant.spec.downstream->repo});
    if (!repository && repository.error().code != Code::kNotFound) return repository.error();
    out.downstream_repository = repository.ok();
    out.downstream_read = repository && was_read(*repository);
    out.downstream_suspended =
        repository && krm::annotation_of(*repository, api::kSuspend) == "true";
  }
  for (const api::InjectedObject& injected : variant.status.injected) {
    const krm::GroupVersion version = krm::group_version(injected.api_version);
    auto object = registry.get({{version.group, injected.kind}, key.ns, injected.name});
    if (!object && object.error().code != Code::kNotFound) return object.error();
    variants::InjectedState state{injected.api_version, injected.kind, injected.name, "", ""};
    if (object) {
      state.uid = krm::uid_of(*object);
      state.content_hash = package::content_hash(*object);
    }
    out.injected.push_back(std::move(state));
  }
  return std::optional(std::move(out));
}

}  // namespace portico::controllers
