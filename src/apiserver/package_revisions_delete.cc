#include <fmt/ranges.h>

#include "api/kinds.h"
#include "apiserver/action_log.h"
#include "apiserver/internal/query.h"
#include "apiserver/package_revisions.h"
#include "apiserver/preconditions.h"
#include "apiserver/strategy.h"
#include "kubeapi/answers.h"
#include "kubeapi/selector.h"
#include "packages/lineage.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;
using registry::Verb;

StatusOr<Outcome> PackageRevisions::remove(Call& call) {
  PORTICO_TRY(const auto options, delete_options_of(call));
  PORTICO_TRY(const Value old, find(call));
  PORTICO_DO(check_preconditions(call, options, old));
  PORTICO_TRY(const Value gone, remove_one(call, old, options));
  PORTICO_TRY(const Value seen, shown(call, gone));
  PORTICO_TRY(Value body, kubeapi::object_answer(seen, *call.type, *call.version, call.form,
                                                 kubeapi::IncludeObject::kMetadata, call.now));
  return Outcome(Made{200, std::move(body)});
}

StatusOr<Outcome> PackageRevisions::remove_all(Call& call) {
  PORTICO_TRY(const auto options, delete_options_of(call));
  PORTICO_TRY(const auto list, kubeapi::list_options(call.query, false));
  PORTICO_TRY(const auto filter,
              kubeapi::Filter::parse(list.labels, list.fields, *call.type, *call.version));
  PORTICO_TRY(const registry::Listing all, world_.registry.list(query_of(call, filter)));
  std::vector<Value> answered;
  for (const Value& object : all.objects) {
    if (!filter.matches_rest(object)) continue;
    call.info.name = krm::name_of(object);
    PORTICO_DO(check_preconditions(call, options, object));
    const auto gone = remove_one(call, object, options);
    // Already deleted by another client, which is the desired state.
    if (!gone && gone.error().code != 404) return gone.error();
    PORTICO_TRY(Value seen, shown(call, object));
    answered.push_back(std::move(seen));
  }
  call.info.name.clear();
  kubeapi::ListMeta meta;
  meta.version = std::to_string(all.version);
  PORTICO_TRY(Value body, kubeapi::list_answer(answered, meta, *call.type, *call.version, call.form,
                                               kubeapi::IncludeObject::kMetadata, call.now));
  return Outcome(Made{200, std::move(body)});
}

StatusOr<Value> PackageRevisions::remove_one(Call& call, const Value& old,
                                             const kubeapi::DeleteOptions& options) {
  // A revision on a branch is Published, too, and is removed with the last revision of its package.
  if (old["spec"]["lifecycle"].as_string() == api::kPublished)
    return kubeapi::forbidden_object(
        call.named(), call.info.name,
        "published PackageRevisions must be proposed for deletion by setting spec.lifecycle to "
        "'DeletionProposed' prior to deletion");
  PORTICO_TRY(const std::vector<std::string> users, packages::users_of(world_.registry, old));
  if (!users.empty())
    return kubeapi::forbidden_object(
        call.named(), call.info.name,
        fmt::format("cannot delete package revision, it is referenced as upstream by: {}",
                    fmt::join(users, ", ")));
  if (options.dry_run) return old;
  if (!krm::finalizers_of(old).empty()) {
    auto waits = world_.registry.commit({{Verb::kDelete, old}});
    if (waits) {
      log_deleted(world_.log, call, old, waits->front());
      return waits->front();
    }
    if (waits.error().code == Code::kConflict) return modified(call, call.info.name);
    return kubeapi::status_error_of(waits.error(), call.named(), call.info.name);
  }
  packages::Actor actor = actor_of(call);
  // With preconditions, delete only the version that they were checked against; otherwise the
  // current one.
  if (!options.uid.empty() || !options.version.empty())
    actor.decided_on = old["metadata"]["resourceVersion"].as_string();
  const auto gone = world_.packages.remove(key_of(call), actor);
  if (gone) {
    log_action(world_.log, call, "deleted", key_of(call));
    return old;
  }
  if (gone.error().code == Code::kNotFound) return kubeapi::not_found(call.named(), call.info.name);
  return refused_write(call, gone.error(), call.info.name);
}

}  // namespace portico::apiserver
