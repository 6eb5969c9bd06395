#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "api/kinds.h"
#include "cli/from_porch.h"
#include "cli/migration.h"
#include "engine/remote_engine.h"
#include "engine/sync_again.h"
#include "engine/target.h"
#include "packages/package_revs.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;
using krm::GroupKind;
using registry::Verb;

namespace {

constexpr const char* kDry = " (dry run)";

struct Fleet {
  std::vector<Value> repositories, sets, variants, package_revs;
  std::optional<std::vector<Value>> revisions;  // nullopt: porch.kpt.dev does not answer
};

Result<std::vector<Value>> all_of(const registry::Registry& registry, const GroupKind& kind) {
  auto found = registry.list({.type = kind});
  if (!found && found.error().code == Code::kNotFound) return std::vector<Value>();
  if (!found) return std::move(found).error().in(resources::plural(kind));
  return std::move(found->objects);
}

// Null if there is none.
Result<Value> api_service(const registry::Registry& registry, const std::string& name) {
  auto found = registry.get({{"apiregistration.k8s.io", "APIService"}, "", name});
  if (!found && found.error().code == Code::kNotFound) return Value();
  return found;
}

Result<PackageServer> server_of(const registry::Registry& registry) {
  PORTICO_TRY(const Value porch, api_service(registry, "v1alpha1.porch.kpt.dev"));
  PORTICO_TRY(const Value own, api_service(registry, "v1.portico.dev"));
  PORTICO_TRY(const Value config, api_service(registry, "v1alpha1.config.porch.kpt.dev"));
  return package_server(porch, own, config);
}

Result<Fleet> read(const registry::Registry& registry) {
  Fleet out;
  PORTICO_TRY(out.repositories, all_of(registry, api::repository_kind()));
  PORTICO_TRY(out.sets, all_of(registry, api::variant_set_kind()));
  PORTICO_TRY(out.variants, all_of(registry, api::variant_kind()));
  PORTICO_TRY(out.package_revs, all_of(registry, packages::package_rev_kind()));
  auto revisions = registry.list({.type = api::revision_kind()});
  if (revisions)
    out.revisions = std::move(revisions->objects);
  else if (revisions.error().reason == Reason::kForbidden)
    return std::move(revisions).error().in("packagerevisions");
  for (const Value& repository : out.repositories)
    if (krm::annotation_of(repository, api::kSuspend) == "true")
      return invalid(
          "repository {}/{} is suspended, so its packages would not be discovered; resume it first",
          krm::namespace_of(repository), krm::name_of(repository));
  return out;
}

// Sets first, so that no set creates a variant that is not suspended.
Result<std::size_t> put_at_rest(registry::Registry& registry, const Fleet& fleet, bool dry,
                                Context& context) {
  std::size_t count = 0;
  for (const auto* objects : {&fleet.sets, &fleet.variants})
    for (const Value& object : *objects) {
      const Value resting = at_rest_for_now(object);
      if (resting == object || krm::is_deleting(object)) continue;
      if (!dry)
        PORTICO_DO(registry.commit({{Verb::kUpdate, resting}}), resources::name_line(object));
      context.terminal.print("{} suspended{}\n", resources::name_line(object), dry ? kDry : "");
      ++count;
    }
  return count;
}

Result<Done> nobody_else_keeps_them(const registry::Registry& registry, Terminal& terminal) {
  const auto deployments = registry.list({.type = {"apps", "Deployment"}});
  if (!deployments && deployments.error().reason == Reason::kForbidden) {
    terminal.hint(
        "cannot list Deployments; check that Porch's PackageVariant and PackageVariantSet "
        "controllers are disabled");
    return Done{};
  }
  if (!deployments) return deployments.error();
  for (const Value& each : deployments->objects) {
    if (is_portico_controllers(each))
      return invalid(
          "Deployment {}/{} runs `portico controllers`; delete it first, so that no variant is "
          "managed twice: kubectl -n {} delete deployment/{}",
          krm::namespace_of(each), krm::name_of(each), krm::namespace_of(each), krm::name_of(each));
    if (keeps_variants(each))
      return invalid(
          "Deployment {}/{} runs Porch's PackageVariant and PackageVariantSet controllers; disable "
          "them first, so that no variant is managed twice: kubectl -n {} set env deployment/{} "
          "ENABLE_PACKAGEVARIANTS- ENABLE_PACKAGEVARIANTSETS- (and remove them from --reconcilers)",
          krm::namespace_of(each), krm::name_of(each), krm::namespace_of(each), krm::name_of(each));
  }
  return Done{};
}

// While Porch is running: copies what is only in its database into the cluster.
Result<std::size_t> remember(registry::Registry& registry, const Fleet& fleet, bool dry) {
  std::set<std::pair<std::string_view, std::string_view>> known;
  for (const Value& each : fleet.package_revs)
    known.emplace(krm::namespace_of(each), krm::name_of(each));
  std::size_t made = 0;
  for (const Value& revision : *fleet.revisions) {
    if (krm::is_deleting(revision)) continue;
    if (known.contains({krm::namespace_of(revision), krm::name_of(revision)})) continue;
    if (!dry) PORTICO_DO(registry.commit({{Verb::kCreate, remembered(revision)}}), "PackageRev");
    ++made;
  }
  return made;
}

bool has_drafts(const std::vector<Value>& variants) {
  for (const Value& each : variants)
    if (!each["status"]["downstreamTargets"].items().empty()) return true;
  return false;
}

Result<Exit> prepare(engine::Engine& cluster, bool dry, Context& context) {
  registry::Registry& registry = cluster.registry();
  const auto alone = nobody_else_keeps_them(registry, context.terminal);
  // A dry run reports everything it finds.
  if (!alone && dry) context.terminal.error(alone.error().text());
  if (!alone && !dry) return alone.error();
  PORTICO_TRY(const Fleet fleet, read(registry));
  if (!fleet.revisions && fleet.package_revs.empty() && has_drafts(fleet.variants))
    return unavailable(
        "Porch does not respond, and the cluster has no PackageRevs, so the owners of the package "
        "revisions are unknown: start porch-server again and keep it running until this command is "
        "done");
  PORTICO_TRY(const std::size_t resting, put_at_rest(registry, fleet, dry, context));
  std::size_t made = 0;
  if (fleet.revisions) {
    PORTICO_TRY(made, remember(registry, fleet, dry));
  }
  context.terminal.print(
      "{} sets and variants suspended, {} package revisions recorded in the cluster{}\n", resting,
      fleet.package_revs.size() + made, dry ? kDry : "");
  context.terminal.hint(
      "next: stop Porch (kubectl -n porch-system scale deployment --all --replicas=0), apply "
      "`portico install --kubernetes --without-porch`, and run this again");
  return alone ? 0 : 1;
}

bool is_past(const Error& error) {
  return error.code == Code::kConflict || error.code == Code::kNotFound;
}

// Removes the PackageRevs that Porch left behind and that match nothing in git, once their
// repositories have been read.
Result<std::size_t> remove_rest(registry::Registry& registry) {
  PORTICO_TRY(const auto left, all_of(registry, packages::package_rev_kind()));
  std::size_t removed = 0;
  for (const Value& each : left) {
    if (!packages::left_by_porch(each)) continue;
    // Porch, which would remove its finalizer, is gone. A PackageRev that was taken over meanwhile
    // has a new version and stays.
    Value now = each;
    if (!krm::finalizers_of(each).empty()) {
      auto bare = registry.commit({{Verb::kUpdate, krm::with_finalizers(each, {})}});
      if (!bare && is_past(bare.error())) continue;
      if (!bare) return std::move(bare).error().in("PackageRev");
      now = bare->front();
    }
    auto gone = registry.commit({{Verb::kDelete, now}});
    if (!gone && !is_past(gone.error())) return std::move(gone).error().in("PackageRev");
    if (gone) ++removed;
  }
  return removed;
}

std::size_t owned_by(const std::vector<Value>& revisions, const std::vector<Value>& variants) {
  std::set<std::string_view> uids;
  for (const Value& each : variants) uids.insert(krm::uid_of(each));
  std::size_t out = 0;
  for (const Value& revision : revisions)
    for (const krm::OwnerReference& owner : krm::owners_of(revision))
      if (uids.contains(owner.uid)) {
        ++out;
        break;
      }
  return out;
}

Result<Exit> take_over(engine::Engine& cluster, bool dry, Context& context) {
  registry::Registry& registry = cluster.registry();
  if (auto alone = nobody_else_keeps_them(registry, context.terminal); !alone)
    return std::move(alone).error();
  PORTICO_TRY(Fleet fleet, read(registry));
  const bool some_left =
      std::any_of(fleet.package_revs.begin(), fleet.package_revs.end(), packages::left_by_porch);
  // After everything is taken over there is nothing to wait for.
  if (some_left) PORTICO_DO(put_at_rest(registry, fleet, dry, context));
  std::size_t removed = 0;
  if (!dry) {
    for (const Value& repository : fleet.repositories)
      PORTICO_DO(
          engine::sync_again(cluster.packages(), repository, context.stop()),
          fmt::format("repository {}/{}; sets and variants stay suspended; run the command again",
                      krm::namespace_of(repository), krm::name_of(repository)));
    PORTICO_TRY(removed, remove_rest(registry));
    PORTICO_TRY(fleet, read(registry));
    if (!fleet.revisions)
      return unavailable(
          "porch.kpt.dev does not respond; sets and variants stay suspended; check the servers, "
          "then run the command again");
  }
  std::size_t awake = 0;
  for (const auto* objects : {&fleet.variants, &fleet.sets})
    for (const Value& object : *objects) {
      if (!rests_for_now(object)) continue;
      if (!dry)
        PORTICO_DO(registry.commit({{Verb::kUpdate, awake_again(object)}}),
                   resources::name_line(object));
      context.terminal.print("{} resumed{}\n", resources::name_line(object), dry ? kDry : "");
      ++awake;
    }
  if (dry) {
    context.terminal.print(
        "{} repositories would be read, {} PackageRevs of Porch taken over, {} sets and variants "
        "resumed{}\n",
        fleet.repositories.size(),
        std::count_if(fleet.package_revs.begin(), fleet.package_revs.end(),
                      packages::left_by_porch),
        awake, kDry);
    return 0;
  }
  context.terminal.print("{} sets, {} variants and {} of their package revisions taken over\n",
                         fleet.sets.size(), fleet.variants.size(),
                         owned_by(*fleet.revisions, fleet.variants));
  if (removed > 0)
    context.terminal.print("{} PackageRevs of Porch removed that match nothing in git\n", removed);
  return 0;
}

}  // namespace

Result<Exit> run_from_porch(const MigrateOptions& options, Context& context) {
  if (!engine::names_server(context.globals))
    return invalid("must specify a cluster: --kubeconfig, --context or --server");
  if (context.globals.ns_said)
    return invalid(
        "-n: servers manage all namespaces of a cluster, so all of them are taken over at once");
  PORTICO_TRY(const auto cluster,
              engine::RemoteEngine::connect(context, engine::RemoteEngine::Packages::kMayBeAway));
  PORTICO_TRY(const PackageServer server, server_of(cluster->registry()));
  switch (server) {
    case PackageServer::kVolume:
      return invalid(
          "this Portico stores its objects on a volume; move the fleet to that volume with "
          "--to-folder, or install servers: portico install --kubernetes --without-porch");
    case PackageServer::kServers:
      return take_over(*cluster, options.dry_run, context);
    case PackageServer::kPorch:
      break;
  }
  return prepare(*cluster, options.dry_run, context);
}

}  // namespace portico::cli
