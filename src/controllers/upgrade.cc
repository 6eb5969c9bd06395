#include "controllers/upgrade.h"

#include <algorithm>

#include "api/kinds.h"
#include "controllers/variant_observe.h"
#include "controllers/variant_request.h"
#include "packages/lineage.h"

namespace portico::controllers {

using json::Value;

namespace {

std::function<std::string(const std::vector<package::InjectionRecord>&)> hash_of(
    const variants::VariantSnapshot& snapshot, const variants::Revision& upstream) {
  return
      [variant = snapshot.variant, upstream](const std::vector<package::InjectionRecord>& records) {
        return variants::inputs_hash(*variant, upstream, injected_states(records));
      };
}

// The request of the variant that makes the package from this upstream; nullopt if there is none.
Result<std::optional<drafts::DraftRequest>> variant_request(const registry::Registry& registry,
                                                            const Value& local,
                                                            const std::string& upstream,
                                                            const packages::Actor& actor) {
  const std::string ns(krm::namespace_of(local));
  const Value& spec = local["spec"];
  PORTICO_TRY(const auto revisions,
              packages::revisions_of(registry, ns, std::string(spec["repository"].as_string()),
                                     std::string(spec["packageName"].as_string())));
  const std::string name = packages::variant_of(revisions);
  if (name.empty()) return std::optional<drafts::DraftRequest>();
  Caches caches;
  PORTICO_TRY(const auto snapshot,
              observe_variant({api::variant_kind(), ns, name}, registry, caches));
  if (!snapshot) return std::optional<drafts::DraftRequest>();
  const auto to =
      std::find_if(snapshot->upstreams.begin(), snapshot->upstreams.end(),
                   [&](const variants::Revision& each) { return each.name() == upstream; });
  if (to == snapshot->upstreams.end()) return std::optional<drafts::DraftRequest>();
  drafts::DraftRequest out = request_of(*snapshot->variant, actor);
  out.source = drafts::VariantSource{upstream, std::string(krm::name_of(local)), true};
  out.inputs_hash = hash_of(*snapshot, *to);
  return std::optional(std::move(out));
}

}  // namespace

Result<drafts::DraftRequest> upgrade(const registry::Registry& registry, const Value& local,
                                     const Value& upstream, const UpgradeWish& wish,
                                     const packages::Actor& actor) {
  const std::string to(krm::name_of(upstream));
  PORTICO_TRY(auto of_variant, variant_request(registry, local, to, actor));
  drafts::DraftRequest out;
  if (of_variant) {
    out = *std::move(of_variant);
  } else {
    out.source = drafts::UpgradeSource{"", to, std::string(krm::name_of(local))};
    out.on_conflict = merge::OnConflict::kUpstream;
  }
  out.ns = krm::namespace_of(local);
  out.repository = local["spec"]["repository"].as_string();
  out.package = local["spec"]["packageName"].as_string();
  out.workspace = wish.workspace;
  if (!wish.strategy.empty()) out.strategy = wish.strategy;
  if (wish.on_conflict) out.on_conflict = *wish.on_conflict;
  out.only_if_changed = false;
  out.actor = actor;
  return out;
}

Result<drafts::DraftRequest> with_inputs(const registry::Registry& registry,
                                         drafts::DraftRequest request) {
  if (!request.mutations) return request;
  const std::string name = request.mutations->variant;
  Caches caches;
  PORTICO_TRY(const auto snapshot,
              observe_variant({api::variant_kind(), request.ns, name}, registry, caches));
  if (!snapshot)
    return not_found("PackageVariant {:?} not found in namespace {:?}", name, request.ns);
  request.mutations = request_of(*snapshot->variant, request.actor).mutations;
  const auto* source = std::get_if<drafts::VariantSource>(&request.source);
  if (source == nullptr) return request;
  const auto upstream =
      std::find_if(snapshot->upstreams.begin(), snapshot->upstreams.end(),
                   [&](const variants::Revision& each) { return each.name() == source->upstream; });
  if (upstream == snapshot->upstreams.end())
    return not_found("{:?} is not a revision of the upstream of PackageVariant {:?}",
                     source->upstream, name);
  request.inputs_hash = hash_of(*snapshot, *upstream);
  return request;
}

}  // namespace portico::controllers
