#include <algorithm>
#include <random>

#include "access/validate.h"
#include "api/old_package_variant_set.h"
#include "apiserver/action_log.h"
#include "apiserver/body.h"
#include "apiserver/internal/core_rules.h"
#include "apiserver/namespace_check.h"
#include "apiserver/objects.h"
#include "apiserver/owners.h"
#include "apiserver/patches.h"
#include "apiserver/preconditions.h"
#include "apiserver/strategy.h"
#include "kubeapi/answers.h"
#include "kubeapi/event_forms.h"
#include "kubeapi/options.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;
using registry::Verb;

namespace {

// Kubernetes answers 500 for an object that does not fit its type.
kubeapi::StatusError refused_apply(const Error& error) {
  if (error.code == Code::kInvalid && error.reason == Reason::kByCode && error.causes.empty())
    return kubeapi::plain_error(error.what);
  return kubeapi::status_error_of(error);
}

// As in Kubernetes, the prefix is cut so that the name fits into a label value.
std::string generated_name(std::string_view prefix) {
  constexpr std::size_t kLongest = 58;
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string out(prefix.substr(0, kLongest));
  std::random_device random;
  for (int i = 0; i < 5; ++i) out += kLetters[random() % kLetters.size()];
  return out;
}

}  // namespace

StatusOr<Done> Objects::check_namespace(const Call& call) const {
  if (call.type->terminating)
    return kubeapi::StatusError{
        405, "MethodNotAllowed",
        "create not allowed while custom resource definition is terminating", kubeapi::Details{}};
  if (!call.type->namespaced) return Done{};
  return check_takes_objects(world_.registry, call.info.ns, call.named(), call.info.name);
}

StatusOr<Value> Objects::commit(const Call& call, registry::Write write, bool dry_run) {
  if (is_new_event(call)) write.object = kubeapi::core_event(write.object);
  const std::string name(krm::name_of(write.object));
  const Verb verb = write.verb;
  const Value written = verb == Verb::kCreate ? Value() : write.object;
  const std::vector<registry::Write> writes = {std::move(write)};
  auto done = dry_run ? world_.registry.dry_run(writes) : world_.registry.commit(writes);
  if (done) {
    const bool leaves = krm::is_deleting(done->back()) || verb == Verb::kDelete;
    if (!dry_run && verb != Verb::kDelete) log_written(world_.log, call, written, done->back());
    if (!dry_run)
      PORTICO_DO(after_write(call, leaves ? std::string(krm::namespace_of(done->back())) : ""));
    return std::move(done->back());
  }
  const Error& error = done.error();
  if (error.reason == Reason::kAlreadyExists) return exists_already(call, name);
  if (error.code == Code::kConflict && verb != Verb::kCreate) return modified(call, name);
  return kubeapi::status_error_of(error, call.named(), name);
}

kubeapi::StatusError Objects::exists_already(const Call& call, const std::string& name) const {
  kubeapi::StatusError out = kubeapi::already_exists(call.named(), name);
  const auto found = world_.registry.get({stored_kind(call), ns_of(call), name});
  if (found && krm::is_deleting(*found)) out.message = "object is being deleted: " + out.message;
  return out;
}

Result<Done> Objects::after_write(const Call& call, const std::string& ns) {
  if (is_definition(call)) return definitions_.settle("");
  if (call.named().group == access::kGroup && call.named().kind == "ClusterRole")
    return world_.rights.settle();
  // This may have removed the last object of a definition or namespace that is being deleted.
  if (call.type->terminating) PORTICO_DO(definitions_.settle(call.named().group));
  if (is_namespace(call)) return world_.namespaces.settle(call.info.name);
  return ns.empty() ? Result<Done>(Done{}) : world_.namespaces.settle(ns);
}

StatusOr<Value> Objects::granted(const Call& call, const Value& stored, const Prepared& prepared,
                                 std::string_view url_name) const {
  PORTICO_DO(call.check_demands(stored, prepared.object));
  if (call.named().group != access::kGroup) return prepared.object;
  Value out = access::with_defaults(prepared.object);
  if (const auto valid = access::validate(out, stored); !valid)
    return kubeapi::invalid_object(call.named(), krm::name_of(out), valid.error().causes);
  if (const auto allowed = world_.rights.may_grant(call.user, stored, out, url_name); !allowed) {
    kubeapi::StatusError refusal = kubeapi::status_error_of(allowed.error());
    refusal.details = kubeapi::Details{.name = std::string(krm::name_of(out)),
                                       .group = call.named().group,
                                       .kind = call.named().plural,
                                       .uid = {},
                                       .causes = {}};
    return refusal;
  }
  return out;
}

StatusOr<Outcome> Objects::create(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "CreateOptions", false));
  PORTICO_TRY(Value sent, decode_object(call));
  if (const std::string_view prefix = sent["metadata"]["generateName"].as_string();
      krm::name_of(sent).empty() && !prefix.empty())
    sent = sent.with_at({"metadata", "name"}, generated_name(prefix));
  call.info.name = krm::name_of(sent);
  PORTICO_DO(check_namespace(call));
  PORTICO_TRY(const Prepared prepared, prepare_create(call, sent, options.validation));
  PORTICO_TRY(const Value object, granted(call, Value(), prepared, ""));
  PORTICO_TRY(const Value created,
              commit(call, {Verb::kCreate, tracked(call, Value(), prepared, object, options)},
                     options.dry_run));
  return answer(call, 201, created);
}

namespace {

Part part_of(const Call& call) {
  return call.info.subresource == "status" ? Part::kStatus : Part::kMain;
}

// The answer to a write that removes the object: it has a new generation, but is never stored.
Value last_state(const Call& call, const Value& old, const Value& object) {
  Value out = object;
  const Value* grace = old["metadata"].find("deletionGracePeriodSeconds");
  if (grace != nullptr) out = out.with_at({"metadata", "deletionGracePeriodSeconds"}, *grace);
  const auto wanted = [](const Value& one) { return one.without("metadata").without("status"); };
  if (call.type->has_generation() && wanted(old) != wanted(object))
    out = out.with_at({"metadata", "generation"}, krm::generation_of(old) + 1);
  return out;
}

// `old` converted to the version of `object`, if possible.
Value in_version_of(const Value& object, const Value& old) {
  auto same = api::in_version(old, object["apiVersion"].as_string());
  return same ? *std::move(same) : old;
}

// `object` with the stored spec if the write has not changed it: the version of the request may
// represent it differently.
Value with_kept_spec(const Value& object, const Value& stored, const Value& old,
                     const Value& wanted, Part part) {
  const bool converted = stored["apiVersion"] != old["apiVersion"];
  if (!converted || stored["apiVersion"] != object["apiVersion"]) return object;
  if (part == Part::kMain && wanted["spec"] != old["spec"]) return object;
  return object.with("spec", stored["spec"]);
}

}  // namespace

Value Objects::tracked(const Call& call, const Value& old, const Prepared& prepared,
                       const Value& object, const kubeapi::WriteOptions& options) const {
  const fieldset::Writer writer = writer_of(call, options.field_manager, world_.clock.now());
  // What granted() has filled in (roles) counts as written by this client.
  const Value& written = prepared.object.same_as(prepared.written) ? object : prepared.written;
  const Value before = old.is_null() ? empty_object(call) : old;
  Value out = fieldset::track(before, written, versions_of(call), writer);
  if (before.is_null() == old.is_null() && written.same_as(object)) return out;
  const Value* owners = out["metadata"].find("managedFields");
  return owners != nullptr ? object.with_at({"metadata", "managedFields"}, *owners)
                           : object.without_at({"metadata", "managedFields"});
}

StatusOr<Value> Objects::replace(Call& call, const Value& kept, const Value& old,
                                 const Value& wanted, const kubeapi::WriteOptions& options,
                                 bool tracked_already) {
  const Part part = part_of(call);
  PORTICO_TRY(Prepared prepared, prepare_update(call, old, wanted, part, options.validation));
  const bool all_is_written = prepared.object.same_as(prepared.written);
  prepared.object = with_kept_spec(prepared.object, kept, old, wanted, part);
  if (all_is_written) prepared.written = prepared.object;
  // In the stored version, which may differ from the requested one.
  const Value before = in_version_of(prepared.object, kept);
  PORTICO_TRY(Value object, granted(call, before, prepared, call.info.name));
  if (!tracked_already) object = tracked(call, old, prepared, object, options);
  object = fieldset::unless_only_times(before, object);
  if (is_namespace(call)) object = namespace_kept(object);
  // Replaces exactly the version that was read, even if the client named none.
  object = object.with_at({"metadata", "resourceVersion"}, old["metadata"]["resourceVersion"]);
  // managedFields of a status are in the metadata, and the status of a definition says which
  // versions are stored, so spec and status are written together.
  const bool status_is_a_field = part == Part::kMain && !call.version->has_status;
  const bool goes =
      part == Part::kMain && krm::is_deleting(old) && krm::finalizers_of(object).empty();
  PORTICO_TRY(const Value stored,
              commit(call, {status_is_a_field ? Verb::kReplace : Verb::kUpdateAll, object},
                     options.dry_run));
  return goes ? last_state(call, before, object) : stored;
}

StatusOr<Outcome> Objects::update(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "UpdateOptions", false));
  PORTICO_TRY(const Value sent, decode_object(call));
  if (krm::name_of(sent) != call.info.name)
    return kubeapi::bad_request(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                    krm::name_of(sent), call.info.name));
  const bool names_version = !sent["metadata"]["resourceVersion"].as_string().empty();
  for (int attempt = 1;; ++attempt) {
    PORTICO_TRY(const Value old, stored(call));
    PORTICO_TRY(const Value live, kubeapi::at_version(old, *call.type, call.info.version));
    PORTICO_DO(check_identity(call, live, sent));
    auto updated = replace(call, old, live, sent, options, false);
    if (updated) return answer(call, 200, *updated);
    if (updated.error().code != 409 || names_version || attempt == kMostTries)
      return updated.error();
  }
}

StatusOr<Outcome> Objects::patch(Call& call) {
  if (is_apply(call)) return apply(call);
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "PatchOptions", false));
  for (int attempt = 1;; ++attempt) {
    PORTICO_TRY(const Value old, stored(call));
    PORTICO_TRY(const Value live, shown(call, old));
    PORTICO_TRY(const Value wanted, patched(call, live));
    PORTICO_DO(check_identity(call, live, wanted));
    auto updated = replace(call, old, live, wanted, options, false);
    if (updated) return answer(call, 200, *updated);
    // On a concurrent write, patch the new state, unless the patch names a version.
    if (updated.error().code != 409 || attempt == kMostTries) return updated.error();
  }
}

StatusOr<Outcome> Objects::apply(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "PatchOptions", true));
  PORTICO_TRY(const Value applied, applied_object(call));
  const fieldset::Versions versions = versions_of(call);
  for (int attempt = 1;; ++attempt) {
    const auto found = world_.registry.get(key_of(call));
    if (!found && found.error().code != Code::kNotFound)
      return kubeapi::status_error_of(found.error(), call.named(), call.info.name);
    PORTICO_TRY(const Value live, found ? shown(call, *found) : StatusOr<Value>(Value()));
    const std::string_view uid = krm::uid_of(applied);
    if (live.is_null() && !uid.empty())
      return kubeapi::conflict_of_resource(
          call.named(), call.info.name,
          fmt::format("uid mismatch: the provided object specified uid {}, and no existing object "
                      "was found",
                      uid));
    if (live.is_null() && !call.info.subresource.empty())
      return kubeapi::not_found(call.named(), call.info.name);
    auto merged = fieldset::apply(live, applied, options.force, versions,
                                  writer_of(call, options.field_manager, world_.clock.now()));
    if (!merged) return refused_apply(merged.error());
    if (live.is_null()) {
      PORTICO_DO(call.allow_create());
      PORTICO_DO(check_namespace(call));
      PORTICO_TRY(const Prepared prepared, prepare_create(call, *merged, options.validation));
      PORTICO_TRY(Value object, granted(call, Value(), prepared, call.info.name));
      if (const Value* owners = (*merged)["metadata"].find("managedFields"))
        object = object.with_at({"metadata", "managedFields"}, *owners);
      auto created = commit(call, {Verb::kCreate, std::move(object)}, options.dry_run);
      if (created) return answer(call, 201, *created);
      if (created.error().code != 409 || attempt == kMostTries) return created.error();
      continue;
    }
    const std::string_view version = applied["metadata"]["resourceVersion"].as_string();
    if (!version.empty() && version != live["metadata"]["resourceVersion"].as_string())
      return modified(call, call.info.name);
    auto updated = replace(call, *found, live, *merged, options, true);
    if (updated) return answer(call, 200, *updated);
    if (updated.error().code != 409 || attempt == kMostTries) return updated.error();
  }
}

}  // namespace portico::apiserver
