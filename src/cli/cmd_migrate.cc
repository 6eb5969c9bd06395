#include <algorithm>
#include <memory>
#include <set>

#include "api/kinds.h"
#include "cli/migration.h"
#include "cli/object_commands.h"
#include "engine/applying.h"
#include "engine/engine.h"
#include "engine/target.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;
using krm::GroupKind;

namespace {

// All objects to migrate; read before anything is written.
struct Fleet {
  std::vector<Value> namespaces, secrets, functions, repositories, sets, variants, revisions;
};

Result<std::vector<Value>> all_of(const registry::Registry& registry, const GroupKind& kind,
                                  const std::string& ns) {
  auto found = registry.list({.type = kind, .ns = ns});
  // A kind that does not exist there has no objects.
  if (!found && found.error().code == Code::kNotFound) return std::vector<Value>();
  if (!found) return std::move(found).error().in(resources::plural(kind));
  return std::move(found->objects);
}

Result<Fleet> read(const registry::Registry& from, const std::string& ns) {
  Fleet out;
  PORTICO_TRY(out.functions, all_of(from, api::function_config_kind(), ns));
  PORTICO_TRY(out.repositories, all_of(from, api::repository_kind(), ns));
  PORTICO_TRY(out.sets, all_of(from, api::variant_set_kind(), ns));
  PORTICO_TRY(out.variants, all_of(from, api::variant_kind(), ns));
  PORTICO_TRY(out.revisions, all_of(from, api::revision_kind(), ns));
  // Objects that are being deleted are not migrated.
  for (auto* objects : {&out.functions, &out.repositories, &out.sets, &out.variants})
    std::erase_if(*objects, krm::is_deleting);
  for (const Value& repository : out.repositories)
    if (krm::annotation_of(repository, api::kSuspend) == "true")
      return invalid(
          "repository {} is suspended, so its packages would not be discovered in the target; "
          "resume it first",
          krm::name_of(repository));
  for (const krm::ObjectKey& key : logins(out.repositories)) {
    PORTICO_TRY(out.secrets.emplace_back(), from.get(key), "repository credentials");
  }
  std::set<std::string_view> used;
  for (const auto* objects : {&out.functions, &out.repositories, &out.sets, &out.variants})
    for (const Value& object : *objects) used.insert(krm::namespace_of(object));
  for (const std::string_view each : used)
    out.namespaces.push_back(Value::object({{"apiVersion", "v1"},
                                            {"kind", "Namespace"},
                                            {"metadata", Value::object({{"name", each}})}}));
  return out;
}

// Applies the objects as `portico apply` does, with one line each; returns the stored objects.
Result<std::vector<Value>> put(engine::Engine& to, const std::vector<Value>& objects,
                               Context& context) {
  std::vector<engine::Manifest> manifests;
  for (const Value& object : objects) manifests.push_back({object, resources::name_line(object)});
  PORTICO_TRY(const auto wanted, engine::wanted_of(manifests, context));
  PORTICO_TRY(const auto applied, engine::apply_objects(to.registry(), wanted, false));
  std::vector<Value> out;
  for (std::size_t i = 0; i < applied.size(); ++i) {
    if (!applied[i].now) return Error(applied[i].now.error()).in(wanted[i].source);
    out.push_back(*applied[i].now);
    context.terminal.print("{} {}\n", resources::name_line(out.back()), applied[i].verb());
  }
  return out;
}

std::vector<Value> each_carried(const std::vector<Value>& objects) {
  std::vector<Value> out;
  for (const Value& object : objects) out.push_back(carried(object));
  return out;
}

Result<Done> put_namespaces(engine::Engine& to, const std::vector<Value>& namespaces) {
  for (const Value& each : namespaces) {
    auto made = to.registry().commit({{registry::Verb::kCreate, each}});
    // A user who may write in a namespace may not be allowed to create it.
    if (made || made.error().reason == Reason::kAlreadyExists ||
        made.error().reason == Reason::kForbidden)
      continue;
    return std::move(made).error().in("namespace");
  }
  return Done{};
}

// Waits until the repositories' content is found there; name_makers() needs it.
Result<bool> wait_for(const std::vector<Value>& repositories, const Context& to) {
  std::map<std::string, std::vector<std::string>> names;
  for (const Value& each : repositories)
    if (krm::annotation_of(each, api::kSuspend) != "true")
      names[std::string(krm::namespace_of(each))].emplace_back(krm::name_of(each));
  bool ready = true;
  for (const auto& [ns, asked] : names) {
    Context there = to;
    there.globals.ns = ns;
    AwaitOptions options;
    options.type = "repositories";
    options.names = asked;
    options.condition = "condition=Ready";
    PORTICO_TRY(const Exit exit, run_wait(options, there));
    ready = ready && exit == 0;
  }
  return ready;
}

// Sets first, then variants with the sets' new uids; all suspended, so that no controller acts on
// half of the fleet.
Result<std::vector<Value>> put_at_rest(engine::Engine& to, const Fleet& fleet, Context& context) {
  std::vector<Value> sets, variants;
  for (const Value& set : fleet.sets) sets.push_back(at_rest(carried(set)));
  PORTICO_TRY(std::vector<Value> stored, put(to, sets, context));
  SetUids uids;
  for (const Value& set : stored)
    uids[{std::string(krm::namespace_of(set)), std::string(krm::name_of(set))}] = krm::uid_of(set);
  for (const Value& variant : fleet.variants)
    variants.push_back(at_rest(owned_again(variant, carried(variant), uids)));
  PORTICO_TRY(const std::vector<Value> more, put(to, variants, context));
  stored.insert(stored.begin(), more.begin(), more.end());
  return stored;
}

// Records the variant of each revision there; returns how many revisions with a variant are
// missing.
Result<std::size_t> name_makers(engine::Engine& to, const Fleet& fleet, const std::string& ns) {
  std::map<RevisionPlace, std::string> wanted = makers(fleet.revisions, fleet.variants);
  PORTICO_TRY(const auto there, all_of(to.registry(), api::revision_kind(), ns));
  for (const Value& revision : there) {
    const auto at = wanted.find(place_of(revision));
    if (at == wanted.end()) continue;
    if (krm::annotation_of(revision, api::kVariantAnnotation) != at->second)
      PORTICO_DO(to.registry().commit(
          {{registry::Verb::kUpdate,
            revision.with_at({"metadata", "annotations", api::kVariantAnnotation}, at->second)}}));
    wanted.erase(at);
  }
  return wanted.size();
}

Result<Done> wake(engine::Engine& to, const std::vector<Value>& stored, const Fleet& fleet) {
  std::set<krm::ObjectKey> resting;
  for (const auto* objects : {&fleet.sets, &fleet.variants})
    for (const Value& object : *objects)
      if (krm::annotation_of(object, api::kSuspend) == "true")
        resting.insert(krm::object_key(object));
  for (const Value& object : stored) {
    if (resting.contains(krm::object_key(object))) continue;
    PORTICO_TRY(const Value now, to.registry().get(krm::object_key(object)));
    PORTICO_DO(to.registry().commit({{registry::Verb::kUpdate, awake(now)}}));
  }
  return Done{};
}

}  // namespace

Result<Exit> run_migrate(const MigrateOptions& options, Context& context) {
  if (options.from_porch) return run_from_porch(options, context);
  if (options.to_folder == options.to_kubernetes)
    return invalid("must specify one of --to-kubernetes, --to-folder or --from-porch");
  if (!engine::names_server(context.globals))
    return invalid("must specify a cluster: --kubeconfig, --context or --server");
  Context folder = context;
  folder.globals.server = folder.globals.kubeconfig = folder.globals.context = "";
  if (engine::names_server(folder.globals))
    return invalid("$PORTICO_SERVER is set; unset it, and specify the cluster with --server");
  const std::string ns = context.globals.ns_said ? context.globals.ns : "";
  Context& to = options.to_folder ? folder : context;

  PORTICO_TRY(auto source, engine::Engine::read(options.to_folder ? context : folder));
  if (options.to_kubernetes && source->is_served())
    return invalid(
        "`portico serve` is running on the folder; stop it first, so that no variant is managed "
        "twice");
  PORTICO_TRY(const Fleet fleet, read(source->registry(), ns), "reading the fleet");
  source.reset();

  PORTICO_TRY(auto target, engine::Engine::open(to));
  PORTICO_DO(put_namespaces(*target, fleet.namespaces));
  for (const auto* objects : {&fleet.secrets, &fleet.functions, &fleet.repositories})
    PORTICO_DO(put(*target, each_carried(*objects), to));
  PORTICO_TRY(const std::vector<Value> stored, put_at_rest(*target, fleet, to));
  target.reset();  // waiting opens it, too
  PORTICO_TRY(const bool ready, wait_for(fleet.repositories, to));
  if (!ready)
    return unavailable(
        "repositories are not ready in the target; sets and variants stay suspended; run the "
        "command again");
  PORTICO_TRY(target, engine::Engine::open(to));
  PORTICO_TRY(const std::size_t missing, name_makers(*target, fleet, ns));
  if (missing > 0)
    return unavailable(
        "{} package revisions of variants are not in the target yet; sets and variants stay "
        "suspended; run the command again",
        missing);
  PORTICO_DO(wake(*target, stored, fleet));
  context.terminal.print("{} sets, {} variants and {} repositories moved\n", fleet.sets.size(),
                         fleet.variants.size(), fleet.repositories.size());
  context.terminal.hint(
      "injected objects and roles are not moved; delete the fleet in the old place, or keep its "
      "controllers off");
  return 0;
}

}  // namespace portico::cli
