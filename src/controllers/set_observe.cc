#include "controllers/set_observe.h"

#include <algorithm>
#include <map>

#include "api/kinds.h"
#include "packages/lineage.h"

namespace portico::controllers {

using json::Value;

namespace {

krm::GroupKind config_kind(std::string_view kind) {
  return {std::string(api::kConfigGroup), std::string(kind)};
}

using ByName = std::map<std::string, Value, std::less<>>;

// The selected objects of the namespace. An invalid selector selects nothing; the decision reports
// what is wrong with it.
Result<Done> add_selected(const registry::Registry& registry, krm::GroupKind type,
                          const std::string& ns, const std::string& name,
                          const api::LabelSelector& labels, ByName& to) {
  auto selector = api::selector(labels);
  if (!selector) return Done{};
  if (!name.empty()) {
    const auto one = registry.get({std::move(type), ns, name});
    if (one) to.insert_or_assign(name, *one);
    if (!one && one.error().code != Code::kNotFound) return one.error();
    return Done{};
  }
  PORTICO_TRY(const registry::Listing all,
              registry.list({.type = std::move(type), .ns = ns, .labels = *std::move(selector)}));
  for (const Value& object : all.objects)
    to.insert_or_assign(std::string(krm::name_of(object)), object);
  return Done{};
}

std::vector<Value> values_of(const ByName& objects) {
  std::vector<Value> out;
  out.reserve(objects.size());
  for (const auto& [name, object] : objects) out.push_back(object);
  return out;
}

Result<Done> observe_selected(const registry::Registry& registry, variants::SetSnapshot& out) {
  const std::string& ns = out.set->metadata.ns;
  ByName repositories;
  std::map<variants::ObjectType, ByName> objects;
  for (const api::Target& target : out.set->spec.target_list()) {
    if (target.repository_selector)
      PORTICO_DO(add_selected(registry, config_kind(api::kRepositoryKind), ns, "",
                              target.repository_selector->labels, repositories));
    if (!target.object_selector) continue;
    const api::ObjectSelector& selector = *target.object_selector;
    PORTICO_DO(add_selected(
        registry, {krm::group_version(selector.api_version).group, selector.kind}, ns,
        selector.name, selector.labels, objects[{selector.api_version, selector.kind}]));
  }
  out.repositories = values_of(repositories);
  for (const auto& [type, selected] : objects) out.objects[type] = values_of(selected);
  return Done{};
}

// Names in the spec, which the decision will certainly ask for.
variants::Asked named_by(const api::PackageVariantSetSpec& spec) {
  variants::Asked out;
  for (const api::Target& target : spec.target_list()) {
    const auto* downstream =
        target.tmpl && target.tmpl->downstream ? &*target.tmpl->downstream : nullptr;
    if (downstream != nullptr && downstream->repo)
      out.repositories.insert(*downstream->repo);
    else if (target.repositories && (downstream == nullptr || !downstream->repo_expr))
      for (const api::RepositoryTarget& one : *target.repositories)
        out.repositories.insert(one.name);
  }
  return out;
}

// Adds the objects that a decision asked for.
Result<Done> observe_asked(const variants::Asked& asks, const registry::Registry& registry,
                           variants::SetSnapshot& snapshot) {
  const std::string& ns = snapshot.set->metadata.ns;
  for (const std::string& name : asks.repositories) {
    const auto before = [](const Value& object, const std::string& than) {
      return krm::name_of(object) < than;
    };
    auto& all = snapshot.repositories;
    const auto at = std::lower_bound(all.begin(), all.end(), name, before);
    snapshot.asked.repositories.insert(name);
    if (at != all.end() && krm::name_of(*at) == name) continue;
    const auto stored = registry.get({config_kind(api::kRepositoryKind), ns, name});
    if (stored) all.insert(at, *stored);
    if (!stored && stored.error().code != Code::kNotFound) return stored.error();
  }
  for (const std::string& name : asks.variants) {
    const auto stored = registry.get({config_kind(api::kVariantKind), ns, name});
    snapshot.asked.variants.insert(name);
    if (!stored && stored.error().code == Code::kNotFound) continue;
    if (!stored) return stored.error();
    if (krm::label_of(*stored, api::kVariantSetLabel) == snapshot.set->metadata.uid)
      return conflict("PackageVariant \"{}\" of this set was created concurrently", name);
    snapshot.foreign_names.insert(name);
  }
  return Done{};
}

// The set without its variants.
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
  PORTICO_TRY(auto snapshot, observe_variants_of(key, registry, caches));
  if (!snapshot) return snapshot;
  variants::SetSnapshot& out = *snapshot;
  const api::PackageVariantSetSpec& spec = out.set->spec;
  if (spec.upstream) {
    PORTICO_TRY(const auto upstreams, packages::revisions_of(registry, key.ns, spec.upstream->repo,
                                                             spec.upstream->package));
    for (const Value& object : upstreams) {
      PORTICO_TRY(variants::Revision revision, as_revision(object, caches));
      out.upstreams.push_back(std::move(revision));
    }
  }
  PORTICO_DO(observe_selected(registry, out));
  PORTICO_DO(observe_asked(named_by(spec), registry, out));
  return snapshot;
}

Result<variants::SetDecision> decide_observed(variants::SetSnapshot& snapshot,
                                              const Result<variants::CompiledSet>& compiled,
                                              const registry::Registry& registry) {
  for (;;) {
    variants::SetDecision decision = variants::decide_set(snapshot, compiled);
    if (decision.asks.empty()) return decision;
    PORTICO_DO(observe_asked(decision.asks, registry, snapshot));
  }
}

}  // namespace portico::controllers
