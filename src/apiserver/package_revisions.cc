#include "apiserver/package_revisions.h"

#include <algorithm>
#include <tuple>

#include "api/kinds.h"
#include "apiserver/action_log.h"
#include "apiserver/body.h"
#include "apiserver/decode_kind.h"
#include "apiserver/namespace_check.h"
#include "apiserver/owners.h"
#include "apiserver/package_rules.h"
#include "apiserver/package_tasks.h"
#include "apiserver/patches.h"
#include "apiserver/preconditions.h"
#include "apiserver/strategy.h"
#include "http/escape.h"
#include "kubeapi/answers.h"
#include "package/metadata.h"
#include "packages/base.h"
#include "packages/lineage.h"
#include "packages/names.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;
using packages::Transition;
using registry::Verb;
namespace {

kubeapi::Named repositories() {
  return {std::string(api::kConfigGroup), "repositories", std::string(api::kRepositoryKind)};
}

StatusOr<Outcome> answer(Call& call, int status, const Value& object) {
  PORTICO_TRY(const Value seen, shown(call, object));
  PORTICO_TRY(Value body, kubeapi::object_answer(seen, *call.type, *call.version, call.form,
                                                 kubeapi::IncludeObject::kMetadata, call.now));
  return Outcome(Made{status, std::move(body)});
}

StatusOr<api::PackageRevision> decoded(Call& call, const Value& sent,
                                       kubeapi::FieldValidation validation) {
  // Fields known only to the store appear in what clients read, and so in what they send back.
  return decode_kind<api::PackageRevision>(
      call, sent.without_at({"status", "ref"}).without_at({"status", "tree"}), validation);
}

// Whether a failed write should be retried because of a concurrent write.
bool was_overtaken(const registry::Registry& registry, const Call& call, const Value& live,
                   const kubeapi::StatusError& refusal) {
  if (refusal.code != 409) return false;
  const auto now = registry.get(key_of(call));
  return now && (*now)["metadata"]["resourceVersion"] != live["metadata"]["resourceVersion"];
}

// The log word for a transition of the revision `old`.
std::string_view word_of(Transition transition, const Value& old) {
  const bool deletion = old["spec"]["lifecycle"].as_string() == api::kDeletionProposed;
  switch (transition) {
    case Transition::kPropose:
      return "proposed";
    case Transition::kApprove:
      return "approved";
    case Transition::kReject:
      return deletion ? "deletion rejected" : "rejected";
    case Transition::kProposeDeletion:
      return "proposed for deletion";
    case Transition::kDelete:
      return "deleted";
  }
  return "";
}

std::int64_t next_number(const std::vector<Value>& siblings) {
  std::int64_t highest = 0;
  for (const Value& each : siblings) highest = std::max(highest, each["spec"]["revision"].as_int());
  return highest + 1;
}

}  // namespace

packages::Actor actor_of(const access::User& user, const http::Request& request) {
  packages::Actor out{.name = user.name, .email = user.name};
  if (request.peer == nullptr || !request.peer->unix_peer) return out;
  const std::string_view said = request.headers.get(kAuthorHeader);
  const std::size_t open = said.rfind(" <");
  if (open == std::string_view::npos || open == 0 || !said.ends_with('>')) return out;
  const auto name = http::percent_decode(said.substr(0, open));
  const auto email = http::percent_decode(said.substr(open + 2, said.size() - open - 3));
  if (name && email) std::tie(out.name, out.email) = std::tie(*name, *email);
  return out;
}

packages::Actor actor_of(const Call& call) {
  packages::Actor out = actor_of(call.user, call.request);
  out.audit_id = call.audit_id;
  return out;
}

kubeapi::StatusError refused_write(const Call& call, const Error& error, std::string_view name) {
  if (error.reason != Reason::kByCode) return kubeapi::status_error_of(error, call.named(), name);
  switch (error.code) {
    case Code::kInvalid: {
      if (!error.causes.empty()) return kubeapi::invalid_object(call.named(), name, error.causes);
      std::string place;
      for (auto at = error.where.rbegin(); at != error.where.rend(); ++at)
        if (!at->empty()) place += (place.empty() ? "" : ": ") + *at;
      return kubeapi::invalid_object(
          call.named(), name,
          {{"FieldValueInvalid", error.what, place.empty() ? "spec" : std::move(place)}});
    }
    case Code::kNotFound:
      // Concerns something that the object refers to, or a later change: the requested path exists.
      return kubeapi::invalid_object(call.named(), name,
                                     {{"FieldValueNotFound", error.text(), "spec"}});
    case Code::kConflict:
      return kubeapi::conflict_of_resource(call.named(), name, error.text());
    default:
      return kubeapi::status_error_of(error);
  }
}

StatusOr<Outcome> PackageRevisions::serve(Call& call) {
  const std::string& verb = call.info.verb;
  const std::string& sub = call.info.subresource;
  if (!call.info.rest.empty() || (!sub.empty() && sub != "approval"))
    return kubeapi::no_such_path();
  if (!sub.empty()) return approval(call);
  if (verb == "get" || verb == "list" || verb == "watch") return stored_.serve(call);
  const bool has_name = !call.info.name.empty();
  if (call.info.ns.empty()) return has_name ? kubeapi::no_such_path() : kubeapi::no_such_method();
  if (verb == "create" && !has_name) return create(call);
  if (verb == "update" && has_name) return update(call);
  if (verb == "patch" && has_name) return patch(call);
  if (verb == "delete" && has_name) return remove(call);
  if (verb == "deletecollection") return remove_all(call);
  return kubeapi::no_such_method();
}

StatusOr<Outcome> PackageRevisions::approval(Call& call) {
  const std::string& verb = call.info.verb;
  if (verb == "get") {
    PORTICO_TRY(const Value object, find(call));
    return answer(call, 200, object);
  }
  if (verb == "update") return update(call);
  if (verb == "patch") return patch(call);
  return kubeapi::no_such_method();
}

StatusOr<Value> PackageRevisions::find(const Call& call) const {
  auto found = world_.registry.get(key_of(call));
  if (found) return *std::move(found);
  return kubeapi::status_error_of(found.error(), call.named(), call.info.name);
}

StatusOr<Outcome> PackageRevisions::create(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "CreateOptions", false));
  PORTICO_TRY(const Value sent, decode_object(call));
  PORTICO_TRY(const Value object, make(call, sent, options, false));
  return answer(call, 201, object);
}

StatusOr<Value> PackageRevisions::make(Call& call, const Value& sent,
                                       const kubeapi::WriteOptions& options, bool managed) {
  PORTICO_TRY(const api::PackageRevision revision, decoded(call, sent, options.validation));
  const api::PackageRevisionSpec& spec = revision.spec;
  if (spec.repository.empty()) return kubeapi::bad_request("spec.repositoryName is required");
  if (std::vector<Cause> causes = revision_create_causes(sent, revision); !causes.empty())
    return kubeapi::invalid_object(call.named(), krm::name_of(sent), std::move(causes));
  // The name is derived from the spec; a name that was sent is ignored.
  const std::string name =
      packages::object_name(spec.repository, spec.package_name, spec.workspace_name);
  call.info.name = name;
  PORTICO_DO(check_takes_objects(world_.registry, call.info.ns, call.named(), name));
  PORTICO_TRY(Prepared prepared, prepare_create(call, sent.with_at({"metadata", "name"}, name),
                                                kubeapi::FieldValidation::kIgnore));
  Value object = std::move(prepared.object);
  PORTICO_DO(call.check_demands(Value(), object));
  if (managed)
    object = object.with_at({"metadata", "managedFields"}, sent["metadata"]["managedFields"]);
  else
    object = fieldset::track(Value(), object, versions_of(call),
                             writer_of(call, options.field_manager, world_.clock.now()));
  const auto repository =
      world_.registry.get({api::repository_kind(), call.info.ns, spec.repository});
  if (!repository)
    return kubeapi::status_error_of(repository.error(), repositories(), spec.repository);
  if (world_.registry.get(key_of(call))) {
    kubeapi::StatusError taken = kubeapi::already_exists(call.named(), name);
    taken.message = fmt::format(
        "{}: package revision workspaceNames must be unique; package revision with name {} in repo "
        "{} with workspaceName {} already exists",
        taken.message, spec.package_name, spec.repository, spec.workspace_name);
    return taken;
  }
  auto request = draft_request(world_.registry, call.info.ns, object, revision);
  if (!request) return refused_write(call, request.error(), name);
  request->actor = actor_of(call);
  request->dry_run = options.dry_run;
  const auto drafted = world_.drafts.draft(*request);
  if (!drafted) return refused_write(call, drafted.error(), name);
  if (!options.dry_run) {
    log_action(world_.log, call, "drafted", key_of(call));
    return drafted->object;
  }
  return object.with_at({"spec", "lifecycle"}, api::kDraft)
      .with_at({"metadata", "creationTimestamp"}, call.now);
}

StatusOr<Outcome> PackageRevisions::update(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "UpdateOptions", false));
  PORTICO_TRY(const Value sent, decode_object(call));
  PORTICO_TRY(const Value old, find(call));
  PORTICO_DO(check_identity(call, old, sent));
  PORTICO_TRY(const Value object, replace(call, old, sent, options, false));
  return answer(call, 200, object);
}

StatusOr<Outcome> PackageRevisions::patch(Call& call) {
  if (is_apply(call)) return apply(call);
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "PatchOptions", false));
  for (int attempt = 1;; ++attempt) {
    PORTICO_TRY(const Value old, find(call));
    PORTICO_TRY(const Value live, shown(call, old));
    PORTICO_TRY(const Value wanted, patched(call, live));
    PORTICO_DO(check_identity(call, live, wanted));
    const auto updated = replace(call, live, wanted, options, false);
    if (updated) return answer(call, 200, *updated);
    if (attempt == kMostTries || !was_overtaken(world_.registry, call, live, updated.error()))
      return updated.error();
  }
}

StatusOr<Outcome> PackageRevisions::apply(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "PatchOptions", true));
  PORTICO_TRY(const Value applied, applied_object(call));
  for (int attempt = 1;; ++attempt) {
    const auto found = world_.registry.get(key_of(call));
    if (!found && (found.error().code != Code::kNotFound || !call.info.subresource.empty()))
      return kubeapi::status_error_of(found.error(), call.named(), call.info.name);
    PORTICO_TRY(const Value live, found ? shown(call, *found) : StatusOr<Value>(Value()));
    const auto merged = fieldset::apply(live, applied, options.force, versions_of(call),
                                        writer_of(call, options.field_manager, world_.clock.now()));
    if (!merged) return kubeapi::status_error_of(merged.error());
    if (live.is_null()) {
      PORTICO_DO(call.allow_create());
      const std::string asked = call.info.name;
      const Value& spec = applied["spec"];
      const std::string name =
          packages::object_name(spec["repository"].as_string(), spec["packageName"].as_string(),
                                spec["workspaceName"].as_string());
      if (name != asked)
        return kubeapi::bad_request(fmt::format(
            "the name of the object ({}) does not match its repository, package and workspace ({})",
            asked, name));
      PORTICO_TRY(const Value created, make(call, *merged, options, true));
      return answer(call, 201, created);
    }
    const std::string_view version = applied["metadata"]["resourceVersion"].as_string();
    if (!version.empty() && version != live["metadata"]["resourceVersion"].as_string())
      return modified(call, call.info.name);
    const auto updated = replace(call, live, *merged, options, true);
    if (updated) return answer(call, 200, *updated);
    if (attempt == kMostTries || !was_overtaken(world_.registry, call, live, updated.error()))
      return updated.error();
  }
}

StatusOr<Value> PackageRevisions::replace(Call& call, const Value& old, const Value& wanted,
                                          const kubeapi::WriteOptions& options, bool managed) {
  PORTICO_DO(decoded(call, wanted, options.validation));
  const bool approving = !call.info.subresource.empty();
  if (auto causes = approving ? approval_causes(old, wanted) : revision_update_causes(old, wanted);
      !causes.empty())
    return kubeapi::invalid_object(call.named(), call.info.name, std::move(causes));
  std::string_view lifecycle = wanted["spec"]["lifecycle"].as_string();
  if (lifecycle.empty()) lifecycle = api::kDraft;
  if (approving) return move(call, old, lifecycle, options.dry_run);

  PORTICO_TRY(const Prepared prepared,
              prepare_update(call, old, wanted, Part::kMain, kubeapi::FieldValidation::kIgnore));
  const Value& object = prepared.object;
  PORTICO_DO(call.check_demands(old, object));
  // Fields that the client may not change keep their old values.
  Value after = with_metadata_of(old, object).with_at({"spec", "lifecycle"}, lifecycle);
  const bool draft = old["spec"]["lifecycle"].as_string() == api::kDraft;
  const bool content = draft && kptfile_differs(old, wanted);
  for (const char* field : {"packageMetadata", "readinessGates"})
    if (content)
      after = object["spec"].contains(field) ? after.with_at({"spec", field}, object["spec"][field])
                                             : after.without_at({"spec", field});
  if (!managed)
    after = fieldset::track(old, after, versions_of(call),
                            writer_of(call, options.field_manager, world_.clock.now()));
  after = fieldset::unless_only_times(old, after);

  PORTICO_TRY(Value now, write_metadata(call, old, after, options.dry_run));
  if (content) {
    PORTICO_TRY(now, write_kptfile(call, now, wanted, options.dry_run));
  }
  return move(call, now, lifecycle, options.dry_run);
}

StatusOr<Value> PackageRevisions::write_metadata(Call& call, const Value& old, const Value& wanted,
                                                 bool dry_run) {
  const Value object = with_metadata_of(old, wanted);
  if (object == old) return old;
  // Removing the last finalizer of a deleted revision also removes its refs, or it would be
  // discovered again.
  const bool goes = krm::is_deleting(old) && krm::finalizers_of(object).empty();
  if (goes && !dry_run) {
    const auto gone = world_.packages.remove(key_of(call), actor_of(call));
    if (!gone && gone.error().code != Code::kNotFound)
      return refused_write(call, gone.error(), call.info.name);
  }
  std::vector<registry::Write> writes{
      {Verb::kUpdate, goes ? object.without_at({"metadata", "resourceVersion"}) : object}};
  auto done = dry_run ? world_.registry.dry_run(writes) : world_.registry.commit(writes);
  if (done) {
    if (goes && !dry_run) log_action(world_.log, call, "deleted", key_of(call));
    return std::move(done->front());
  }
  if (done.error().code == Code::kConflict) return modified(call, call.info.name);
  return kubeapi::status_error_of(done.error(), call.named(), call.info.name);
}

StatusOr<Value> PackageRevisions::write_kptfile(Call& call, const Value& old, const Value& wanted,
                                                bool dry_run) {
  PORTICO_TRY(const api::PackageRevision revision,
              decoded(call, wanted, kubeapi::FieldValidation::kIgnore));
  const auto content = world_.packages.read(old);
  if (!content) return refused_write(call, content.error(), call.info.name);
  drafts::DraftRequest request;
  request.ns = call.info.ns;
  request.repository = old["spec"]["repository"].as_string();
  request.package = old["spec"]["packageName"].as_string();
  request.workspace = old["spec"]["workspaceName"].as_string();
  request.draft = call.info.name;
  if (!dry_run) request.resource_version = old["metadata"]["resourceVersion"].as_string();
  request.source = drafts::ReplaceSource{**content};
  request.metadata = package::change_to(revision);
  request.dry_run = dry_run;
  request.actor = actor_of(call);
  const auto drafted = world_.drafts.draft(request);
  if (!drafted) return refused_write(call, drafted.error(), call.info.name);
  if (!dry_run) {
    if (drafted->object.is_null()) return old;
    log_action(world_.log, call, "changed", key_of(call));
    return drafted->object;
  }
  Value out = old;
  for (const char* field : {"packageMetadata", "readinessGates"})
    if (wanted["spec"].contains(field)) out = out.with_at({"spec", field}, wanted["spec"][field]);
  return out;
}

StatusOr<Value> PackageRevisions::move(Call& call, const Value& old, std::string_view lifecycle,
                                       bool dry_run) {
  const auto transition = transition_between(old["spec"]["lifecycle"].as_string(), lifecycle);
  if (!transition) return old;
  const krm::ObjectKey key = key_of(call);
  packages::Actor actor = actor_of(call);
  actor.decided_on = old["metadata"]["resourceVersion"].as_string();
  if (!dry_run) {
    packages::PackageStore& packages = world_.packages;
    const auto moved = *transition == Transition::kPropose   ? packages.propose(key, actor)
                       : *transition == Transition::kApprove ? packages.approve(key, actor)
                       : *transition == Transition::kReject  ? packages.reject(key, actor)
                                                            : packages.propose_deletion(key, actor);
    if (moved) {
      log_action(world_.log, call, word_of(*transition, old), key);
      return *moved;
    }
    const auto now = world_.registry.get(key);
    if (moved.error().code == Code::kConflict && now &&
        (*now)["metadata"]["resourceVersion"].as_string() != actor.decided_on)
      return modified(call, call.info.name);
    return refused_write(call, moved.error(), call.info.name);
  }
  const auto possible = packages::outcome(*transition, old["spec"]["lifecycle"].as_string(),
                                          old["spec"]["revision"].as_int());
  if (!possible) return refused_write(call, possible.error(), call.info.name);
  Value out = old.with_at({"spec", "lifecycle"}, lifecycle);
  if (*transition != Transition::kApprove) return out;
  PORTICO_TRY(const auto siblings,
              packages::revisions_of(world_.registry, call.info.ns,
                                     std::string(old["spec"]["repository"].as_string()),
                                     std::string(old["spec"]["packageName"].as_string())));
  if (const auto stale = packages::stale_base(old, siblings))
    return kubeapi::conflict_of_resource(call.named(), call.info.name, *stale);
  return out.with_at({"spec", "revision"}, next_number(siblings));
}

}  // namespace portico::apiserver
