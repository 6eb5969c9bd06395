#include "apiserver/objects.h"

#include <algorithm>
#include <random>

#include "access/validate.h"
#include "apiserver/body.h"
#include "apiserver/owners.h"
#include "apiserver/patches.h"
#include "apiserver/preconditions.h"
#include "apiserver/strategy.h"
#include "apiserver/watching.h"
#include "kubeapi/answers.h"
#include "kubeapi/options.h"
#include "kubeapi/selector.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::Reply;
using registry::Verb;

namespace {

registry::Query query_of(const Call& call, const kubeapi::Filter& filter) {
  registry::Query out;
  out.type = stored_kind(call);
  out.ns = ns_of(call);
  out.labels = filter.labels();
  out.name = filter.name();
  if (out.name.empty()) out.name = call.info.name;
  if (out.ns.empty()) out.ns = filter.ns();
  return out;
}

// A field selector asks for another namespace than the path: there is nothing.
bool contradicts(const Call& call, const kubeapi::Filter& filter) {
  return !filter.ns().empty() && !call.info.ns.empty() && filter.ns() != call.info.ns;
}

kubeapi::Refusal too_large_version(std::uint64_t wanted, std::uint64_t current) {
  kubeapi::Refusal out{
      504, "Timeout",
      fmt::format("Timeout: Too large resource version: {}, current: {}", wanted, current),
      kubeapi::Details{}};
  out.details->causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
  out.details->retry_after_seconds = 1;
  return out;
}

kubeapi::Refusal expired_list(const kubeapi::ListOptions& options) {
  if (options.continue_token.empty())
    return kubeapi::expired("The resourceVersion for the provided list is too old.");
  return kubeapi::expired(
      "The provided continue parameter is too old to display a consistent list result. You can "
      "start a new list without the continue parameter.");
}

// What does not fit its type is answered with 500 by Kubernetes.
kubeapi::Refusal refused_apply(const Error& error) {
  if (error.code == Code::kInvalid && error.reason == Reason::kByCode && error.causes.empty())
    return kubeapi::plain_error(error.what);
  return kubeapi::refusal_of(error);
}

// As Kubernetes: what is too long for a label value is cut, so that the suffix fits.
std::string generated_name(std::string_view prefix) {
  constexpr std::size_t kLongest = 58;
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string out(prefix.substr(0, kLongest));
  std::random_device random;
  for (int i = 0; i < 5; ++i) out += kLetters[random() % kLetters.size()];
  return out;
}

Outcome made(int status, Value body) { return Made{status, std::move(body)}; }

}  // namespace

Reply<Outcome> Objects::serve(Call& call) {
  const std::string& verb = call.info.verb;
  const bool has_name = !call.info.name.empty();
  if (!call.info.rest.empty()) return kubeapi::no_such_path();
  if (!call.type->can(verb)) return kubeapi::no_such_method();
  if (const std::string& sub = call.info.subresource; !sub.empty()) {
    if (sub != "status" || !call.version->has_status) return kubeapi::no_such_path();
    if (verb == "get") return get(call);
    if (verb == "update") return update(call);
    if (verb == "patch") return patch(call);
    return kubeapi::not_supported(call.named(), verb);
  }
  if (call.type->namespaced && call.info.ns.empty()) {
    if (has_name && verb != "list" && verb != "watch") return kubeapi::no_such_path();
    if (verb == "create" || verb == "deletecollection") return kubeapi::no_such_method();
  }
  if (!call.type->namespaced && !call.info.ns.empty() && call.named().plural != "namespaces")
    return kubeapi::no_such_path();
  if (verb == "get") return get(call);
  if (verb == "list") return list(call);
  if (verb == "watch") return watch(call);
  if (verb == "create" && !has_name) return create(call);
  if (verb == "update" && has_name) return update(call);
  if (verb == "patch" && has_name) return patch(call);
  if (verb == "delete") return remove(call);
  if (verb == "deletecollection") return remove_all(call);
  return kubeapi::no_such_method();
}

Reply<Value> Objects::stored(const Call& call) const {
  auto found = world_.registry.get(key_of(call));
  if (found) return *std::move(found);
  return kubeapi::refusal_of(found.error(), call.named(), call.info.name);
}

Reply<Outcome> Objects::get(Call& call) {
  if (const std::string_view version = call.query.get("resourceVersion"); !version.empty()) {
    PORTICO_TRY(const auto options, kubeapi::list_options(call.query, true));
    if (options.version && *options.version > world_.registry.version())
      return too_large_version(*options.version, world_.registry.version());
  }
  if (kubeapi::is_true(call.query, "export"))
    return kubeapi::bad_request(
        "the export parameter, deprecated since v1.14, is no longer supported");
  PORTICO_TRY(const Value object, stored(call));
  PORTICO_TRY(const auto include, kubeapi::include_object(call.query.get("includeObject")));
  PORTICO_TRY(Value answer, kubeapi::object_answer(shown(call, object), *call.type, *call.version,
                                                   call.form, include, call.now));
  return made(200, std::move(answer));
}

Reply<Outcome> Objects::list(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::list_options(call.query, false));
  PORTICO_TRY(const auto filter,
              kubeapi::Filter::parse(options.labels, options.fields, *call.type, *call.version));
  PORTICO_TRY(const auto include, kubeapi::include_object(call.query.get("includeObject")));
  registry::Query query = query_of(call, filter);
  query.continue_from = options.continue_token;
  if (options.match == kubeapi::VersionMatch::kExact) query.version = options.version;
  if (options.version && *options.version > world_.registry.version())
    return too_large_version(*options.version, world_.registry.version());
  // "Any version will do" is answered whole, as from a cache.
  const bool whole = options.version && *options.version == 0;
  const std::size_t limit = whole ? 0 : options.limit;

  std::vector<Value> objects;
  kubeapi::ListMeta meta;
  for (;;) {
    query.limit = limit == 0 ? 0 : limit - objects.size();
    auto page = world_.registry.list(query);
    if (!page && page.error().reason == Reason::kExpired) return expired_list(options);
    if (!page && page.error().code == Code::kInvalid && !options.continue_token.empty())
      return kubeapi::bad_request("continue key is not valid: " + page.error().text());
    if (!page) return kubeapi::refusal_of(page.error());
    meta.version = std::to_string(page->version);
    if (!contradicts(call, filter))
      for (const Value& object : page->objects)
        if (filter.matches_rest(object)) objects.push_back(shown(call, object));
    meta.continue_token = page->next;
    if (filter.empty()) meta.remaining = page->remaining;
    if (page->next.empty() || objects.size() >= limit) break;
    query.continue_from = page->next;
  }
  PORTICO_TRY(Value answer, kubeapi::list_answer(objects, meta, *call.type, *call.version,
                                                 call.form, include, call.now));
  return made(200, std::move(answer));
}

Reply<Outcome> Objects::watch(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::list_options(call.query, true));
  PORTICO_TRY(const auto filter,
              kubeapi::Filter::parse(options.labels, options.fields, *call.type, *call.version));
  PORTICO_TRY(const auto include, kubeapi::include_object(call.query.get("includeObject")));
  WatchRequest wanted;
  wanted.query = query_of(call, filter);
  if (contradicts(call, filter)) wanted.query.name = "/";  // a name that no object has
  wanted.filter = filter;
  if (options.version && *options.version > 0) wanted.from = options.version;
  wanted.initial_events = options.initial_events;
  wanted.bookmarks = options.bookmarks;
  wanted.timeout = std::chrono::seconds(options.timeout_seconds.value_or(0));
  if (wanted.initial_events && options.version && *options.version > world_.registry.version())
    return too_large_version(*options.version, world_.registry.version());
  if (wanted.timeout.count() <= 0) wanted.timeout = std::chrono::minutes(40);
  // The call ends before the stream does: what the shapes need is copied.
  struct Look {
    kubeapi::Catalog::Type type;
    const kubeapi::Version* version;
    std::string version_name, now;
    kubeapi::Form form;
    kubeapi::IncludeObject include;
    std::shared_ptr<const View> view;
  };
  auto look = std::make_shared<const Look>(
      Look{call.type, call.version, call.info.version, call.now, call.form, include, call.view});
  wanted.shape = [look](const Value& object) {
    Value out = kubeapi::at_version(look->view ? look->view->show(object) : object, *look->type,
                                    look->version_name);
    if (!look->type->has_generation()) out = out.without_at({"metadata", "generation"});
    auto answer = kubeapi::object_answer(out, *look->type, *look->version, look->form,
                                         look->include, look->now);
    return answer ? *std::move(answer) : out;
  };
  wanted.bookmark = [look](registry::ResourceVersion version, bool initial_end) {
    Value object = Value::object({{"kind", look->type->names.kind}});
    object = kubeapi::at_version(object.with("apiVersion", ""), *look->type, look->version_name);
    object = object.with_at({"metadata", "resourceVersion"}, std::to_string(version));
    if (initial_end)
      object = object.with_at({"metadata", "annotations", "k8s.io/initial-events-end"}, "true");
    return object;
  };
  http::Response head;
  head.headers.set("Content-Type", "application/json");
  PORTICO_TRY(http::Streaming stream,
              apiserver::watch(world_.registry, world_.pump, std::move(wanted), std::move(head)));
  return Outcome(std::move(stream));
}

Reply<Done> Objects::check_namespace(const Call& call) const {
  if (!call.type->namespaced) return Done{};
  const kubeapi::Named namespaces{"", "namespaces", "Namespace"};
  const auto found = world_.registry.get({{"", "Namespace"}, "", call.info.ns});
  if (!found) return kubeapi::refusal_of(found.error(), namespaces, call.info.ns);
  if (!krm::is_deleting(*found)) return Done{};
  return kubeapi::forbidden_object(
      call.named(), call.info.name,
      fmt::format("unable to create new content in namespace {} because it is being terminated",
                  call.info.ns),
      {{"NamespaceTerminating", fmt::format("namespace {} is being terminated", call.info.ns),
        "metadata.namespace"}});
}

Reply<Value> Objects::commit(const Call& call, registry::Write write, bool dry_run) {
  const std::string name(krm::name_of(write.object));
  const Verb verb = write.verb;
  auto done = dry_run ? world_.registry.dry_run({std::move(write)})
                      : world_.registry.commit({std::move(write)});
  if (done) return std::move(done->front());
  const Error& error = done.error();
  if (error.reason == Reason::kAlreadyExists) return kubeapi::already_exists(call.named(), name);
  if (error.code == Code::kConflict && verb != Verb::kCreate) return modified(call, name);
  return kubeapi::refusal_of(error, call.named(), name);
}

Reply<Value> Objects::granted(const Call& call, const Value& stored, const Value& object,
                              std::string_view url_name) const {
  if (call.named().group != access::kGroup) return object;
  Value out = access::with_defaults(object);
  if (const auto valid = access::validate(out, stored); !valid)
    return kubeapi::invalid_object(call.named(), krm::name_of(out), valid.error().causes);
  if (const auto allowed = world_.may_grant(call.user, stored, out, url_name); !allowed) {
    kubeapi::Refusal refusal = kubeapi::refusal_of(allowed.error());
    refusal.details = kubeapi::Details{.name = std::string(krm::name_of(out)),
                                       .group = call.named().group,
                                       .kind = call.named().plural,
                                       .uid = {},
                                       .causes = {}};
    return refusal;
  }
  return out;
}

Reply<Outcome> Objects::answer(Call& call, int status, const Value& object) {
  PORTICO_TRY(Value shape,
              kubeapi::object_answer(shown(call, object), *call.type, *call.version, call.form,
                                     kubeapi::IncludeObject::kMetadata, call.now));
  return made(status, std::move(shape));
}

Reply<Outcome> Objects::create(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "CreateOptions", false));
  PORTICO_TRY(Value sent, decode_object(call));
  if (const std::string_view prefix = sent["metadata"]["generateName"].as_string();
      krm::name_of(sent).empty() && !prefix.empty())
    sent = sent.with_at({"metadata", "name"}, generated_name(prefix));
  call.info.name = krm::name_of(sent);
  PORTICO_DO(check_namespace(call));
  PORTICO_TRY(Value object, prepare_create(call, sent, options.validation));
  PORTICO_TRY(object, granted(call, Value(), object, ""));
  object = fieldset::track(Value(), object, versions_of(call),
                           writer_of(call, options.field_manager, world_.clock.now()));
  PORTICO_TRY(const Value created,
              commit(call, {Verb::kCreate, std::move(object)}, options.dry_run));
  return answer(call, 201, created);
}

namespace {

Part part_of(const Call& call) {
  return call.info.subresource == "status" ? Part::kStatus : Part::kMain;
}

}  // namespace

Reply<Value> Objects::replace(Call& call, const Value& old, const Value& wanted,
                              const kubeapi::WriteOptions& options, bool tracked) {
  PORTICO_TRY(Value object, prepare_update(call, old, wanted, part_of(call), options.validation));
  PORTICO_TRY(object, granted(call, old, object, call.info.name));
  if (!tracked)
    object = fieldset::track(old, object, versions_of(call),
                             writer_of(call, options.field_manager, world_.clock.now()));
  object = fieldset::unless_only_times(old, object);
  // What was read is what is replaced, whether or not the client asked for a version.
  object = object.with_at({"metadata", "resourceVersion"}, old["metadata"]["resourceVersion"]);
  std::vector<registry::Write> writes;
  if (part_of(call) == Part::kMain) return commit(call, {Verb::kUpdate, object}, options.dry_run);
  // The owners of a status are in the metadata.
  if (object["metadata"]["managedFields"] != old["metadata"]["managedFields"])
    writes.push_back({Verb::kUpdate, object.with("status", old["status"])});
  writes.push_back({Verb::kUpdateStatus, object.without_at({"metadata", "resourceVersion"})});
  if (writes.size() == 1) writes.front().object = object;
  auto done = options.dry_run ? world_.registry.dry_run(writes) : world_.registry.commit(writes);
  if (done) return std::move(done->back());
  if (done.error().code == Code::kConflict) return modified(call, call.info.name);
  return kubeapi::refusal_of(done.error(), call.named(), call.info.name);
}

Reply<Outcome> Objects::update(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "UpdateOptions", false));
  PORTICO_TRY(const Value sent, decode_object(call));
  if (krm::name_of(sent) != call.info.name)
    return kubeapi::bad_request(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                    krm::name_of(sent), call.info.name));
  PORTICO_TRY(const Value old, stored(call));
  const Value live = kubeapi::at_version(old, *call.type, call.info.version);
  PORTICO_DO(check_identity(call, live, sent));
  PORTICO_TRY(const Value updated, replace(call, live, sent, options, false));
  return answer(call, 200, updated);
}

Reply<Outcome> Objects::patch(Call& call) {
  if (is_apply(call)) return apply(call);
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "PatchOptions", false));
  constexpr int kMostTries = 5;
  for (int attempt = 1;; ++attempt) {
    PORTICO_TRY(const Value old, stored(call));
    const Value live = shown(call, old);
    PORTICO_TRY(const Value wanted, patched(call, live));
    PORTICO_DO(check_identity(call, live, wanted));
    auto updated = replace(call, live, wanted, options, false);
    if (updated) return answer(call, 200, *updated);
    // Somebody wrote in between: the patch is of what is there now, unless it names a version.
    if (updated.error().code != 409 || attempt == kMostTries) return updated.error();
  }
}

Reply<Outcome> Objects::apply(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "PatchOptions", true));
  PORTICO_TRY(const Value applied, applied_object(call));
  const fieldset::Versions versions = versions_of(call);
  constexpr int kMostTries = 5;
  for (int attempt = 1;; ++attempt) {
    const auto found = world_.registry.get(key_of(call));
    if (!found && found.error().code != Code::kNotFound)
      return kubeapi::refusal_of(found.error(), call.named(), call.info.name);
    const Value live = found ? shown(call, *found) : Value();
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
      PORTICO_DO(check_namespace(call));
      PORTICO_TRY(Value object, prepare_create(call, *merged, options.validation));
      PORTICO_TRY(object, granted(call, Value(), object, call.info.name));
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
    auto updated = replace(call, live, *merged, options, true);
    if (updated) return answer(call, 200, *updated);
    if (updated.error().code != 409 || attempt == kMostTries) return updated.error();
  }
}

namespace {

registry::Propagation propagation_of(const kubeapi::DeleteOptions& options) {
  if (options.cascade == kubeapi::Cascade::kForeground) return registry::Propagation::kForeground;
  if (options.cascade == kubeapi::Cascade::kOrphan) return registry::Propagation::kOrphan;
  return registry::Propagation::kBackground;
}

}  // namespace

Reply<Outcome> Objects::remove(Call& call) {
  PORTICO_TRY(const auto options, delete_options_of(call));
  PORTICO_TRY(const Value old, stored(call));
  PORTICO_DO(check_preconditions(call, options, old));
  static constexpr std::string_view kKept[] = {"default", "kube-system", "kube-public"};
  if (call.type->kind() == krm::GroupKind{"", "Namespace"} &&
      std::find(std::begin(kKept), std::end(kKept), call.info.name) != std::end(kKept))
    return kubeapi::forbidden_object(call.named(), call.info.name,
                                     "this namespace may not be deleted");
  // Of the object that the preconditions were held against, and no other.
  PORTICO_TRY(const Value gone,
              commit(call, {Verb::kDelete, old, propagation_of(options)}, options.dry_run));
  const bool waits = krm::is_deleting(gone) && !krm::finalizers_of(gone).empty();
  return made(200, waits ? shown(call, gone) : deleted_status(call, gone));
}

Reply<Outcome> Objects::remove_all(Call& call) {
  PORTICO_TRY(const auto options, delete_options_of(call));
  PORTICO_TRY(const auto list, kubeapi::list_options(call.query, false));
  PORTICO_TRY(const auto filter,
              kubeapi::Filter::parse(list.labels, list.fields, *call.type, *call.version));
  PORTICO_TRY(const registry::Listing all, world_.registry.list(query_of(call, filter)));
  std::vector<registry::Write> writes;
  std::vector<Value> deleted;  // as they were
  for (const Value& object : all.objects) {
    if (!filter.matches_rest(object)) continue;
    deleted.push_back(object);
    writes.push_back({Verb::kDelete, object.without_at({"metadata", "resourceVersion"}),
                      propagation_of(options)});
  }
  std::vector<Value> gone;
  if (options.dry_run) {
    for (const Value& object : deleted) gone.push_back(shown(call, object));
  } else {
    const auto done = world_.registry.commit_each(writes);
    for (std::size_t i = 0; i < done.size(); ++i) {
      // Somebody else was quicker: it is gone, as it should be.
      if (!done[i] && done[i].error().code == Code::kNotFound) continue;
      if (!done[i]) return kubeapi::refusal_of(done[i].error());
      const bool waits = krm::is_deleting(*done[i]) && !krm::finalizers_of(*done[i]).empty();
      gone.push_back(shown(call, waits ? *done[i] : deleted[i]));
    }
  }
  kubeapi::ListMeta meta;
  meta.version = std::to_string(world_.registry.version());
  PORTICO_TRY(Value answer, kubeapi::list_answer(gone, meta, *call.type, *call.version, call.form,
                                                 kubeapi::IncludeObject::kMetadata, call.now));
  return made(200, std::move(answer));
}

}  // namespace portico::apiserver
