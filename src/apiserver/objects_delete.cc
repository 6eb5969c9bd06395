#include <algorithm>
#include <optional>
#include <set>

#include "apiserver/action_log.h"
#include "apiserver/internal/core_rules.h"
#include "apiserver/internal/query.h"
#include "apiserver/live_catalog.h"
#include "apiserver/objects.h"
#include "apiserver/preconditions.h"
#include "apiserver/strategy.h"
#include "kubeapi/answers.h"
#include "kubeapi/options.h"
#include "kubeapi/selector.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;
using registry::Verb;

namespace {

registry::Propagation propagation_of(const kubeapi::DeleteOptions& options) {
  if (options.cascade == kubeapi::Cascade::kForeground) return registry::Propagation::kForeground;
  if (options.cascade == kubeapi::Cascade::kOrphan) return registry::Propagation::kOrphan;
  return registry::Propagation::kBackground;
}

bool is_kept_namespace(const Call& call, std::string_view name) {
  static constexpr std::string_view kKept[] = {"default", "kube-system", "kube-public"};
  return is_namespace(call) &&
         std::find(std::begin(kKept), std::end(kKept), name) != std::end(kKept);
}

}  // namespace

StatusOr<Value> Objects::remove_one(const Call& call, const Value& object,
                                    const kubeapi::DeleteOptions& options) {
  if (is_namespace(call)) {
    auto gone = world_.namespaces.remove(object, options.dry_run);
    if (!gone) return kubeapi::status_error_of(gone.error(), call.named(), krm::name_of(object));
    return *std::move(gone);
  }
  if (!is_definition(call) || options.dry_run)
    return commit(call, {Verb::kDelete, object, propagation_of(options)}, options.dry_run);
  auto gone = definitions_.remove(object, LiveCatalog::is_builtin(object));
  if (!gone) return kubeapi::status_error_of(gone.error(), call.named(), krm::name_of(object));
  // Kubernetes omits it for definitions.
  return gone->without_at({"metadata", "deletionGracePeriodSeconds"});
}

StatusOr<Outcome> Objects::remove(Call& call) {
  PORTICO_TRY(const auto options, delete_options_of(call));
  PORTICO_TRY(const Value old, stored(call));
  PORTICO_DO(check_preconditions(call, options, old));
  if (is_kept_namespace(call, call.info.name))
    return kubeapi::forbidden_object(call.named(), call.info.name,
                                     "this namespace may not be deleted");
  // Before anything is deleted: not every version can represent the object.
  PORTICO_DO(shown(call, old));
  // Deletes exactly the object that the preconditions were checked against.
  PORTICO_TRY(const Value gone, remove_one(call, old, options));
  if (!options.dry_run) log_deleted(world_.log, call, old, gone);
  // Kubernetes answers most deletions with a Status, and these with the deleted object.
  const bool waits = krm::is_deleting(gone) && !krm::finalizers_of(gone).empty();
  const bool whole = call.type->kind() == krm::GroupKind{"", "ServiceAccount"};
  if (!waits && !whole) return Outcome(Made{200, deleted_status(call, gone)});
  PORTICO_TRY(Value seen, shown(call, gone));
  return Outcome(Made{200, std::move(seen)});
}

StatusOr<Outcome> Objects::remove_all(Call& call) {
  PORTICO_TRY(const auto options, delete_options_of(call));
  PORTICO_TRY(const auto list, kubeapi::list_options(call.query, false));
  PORTICO_TRY(const auto filter,
              kubeapi::Filter::parse(list.labels, list.fields, *call.type, *call.version));
  PORTICO_TRY(const Page page, read_page(call, list, filter));
  std::vector<Value> answered;  // their previous states
  for (const Value& object : page.objects) {
    PORTICO_TRY(Value seen, shown(call, object));
    answered.push_back(std::move(seen));
  }
  if (!options.dry_run) PORTICO_DO(remove_each(call, page.objects, options));
  PORTICO_TRY(Value answer,
              kubeapi::list_answer(answered, page.meta, *call.type, *call.version, call.form,
                                   kubeapi::IncludeObject::kMetadata, call.now));
  return Outcome(Made{200, std::move(answer)});
}

StatusOr<Done> Objects::remove_each(const Call& call, const std::vector<Value>& objects,
                                    const kubeapi::DeleteOptions& options) {
  std::vector<registry::Write> writes;
  for (const Value& object : objects) {
    if (is_definition(call)) {
      PORTICO_TRY(const Value gone, remove_one(call, object, options));
      log_deleted(world_.log, call, object, gone);
      continue;
    }
    writes.push_back({Verb::kDelete, object.without_at({"metadata", "resourceVersion"}),
                      propagation_of(options)});
  }
  std::optional<Error> failed;
  const auto all_done = world_.registry.commit_each(writes);
  for (std::size_t i = 0; i < all_done.size(); ++i) {
    if (all_done[i]) log_deleted(world_.log, call, writes[i].object, *all_done[i]);
    // Already deleted by another client, which is the desired state.
    else if (all_done[i].error().code != Code::kNotFound && !failed)
      failed = all_done[i].error();
  }
  if (failed) return kubeapi::status_error_of(*failed);
  std::set<std::string> namespaces;
  for (const Value& object : objects)
    if (const std::string_view ns = krm::namespace_of(object); !ns.empty()) namespaces.emplace(ns);
  for (const std::string& ns : namespaces) PORTICO_DO(after_write(call, ns));
  if (namespaces.empty()) PORTICO_DO(after_write(call, ""));
  return Done{};
}

}  // namespace portico::apiserver
