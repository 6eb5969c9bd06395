#include "apiserver/package_resources.h"

#include <algorithm>

#include "api/kinds.h"
#include "apiserver/action_log.h"
#include "apiserver/body.h"
#include "apiserver/decode_kind.h"
#include "apiserver/owners.h"
#include "apiserver/package_contents.h"
#include "apiserver/patches.h"
#include "apiserver/preconditions.h"
#include "kubeapi/answers.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;

namespace {

constexpr int kMostBuilds = 5;  // of a patch that names no resourceVersion
constexpr const char* kPushAnyway = "porch.kpt.dev/push-on-render-failure";

PathGlobs globs_of(const Call& call) {
  PathGlobs out;
  for (const std::string_view glob : call.query.all("path")) out.emplace_back(glob);
  return out;
}

Result<std::shared_ptr<const krm::Package>> read(packages::PackageStore& packages,
                                                 const Value& revision, const PathGlobs& globs) {
  if (globs.empty()) return packages.read(revision);
  return packages.read_some(revision,
                            [&](const std::string& path) { return is_wanted(globs, path); });
}

StatusOr<Outcome> answer(Call& call, const Value& object) {
  PORTICO_TRY(Value body, kubeapi::object_answer(object, *call.type, *call.version, call.form,
                                                 kubeapi::IncludeObject::kMetadata, call.now));
  return Outcome(Made{200, std::move(body)});
}

bool failed_to_render(const Error& error) {
  return error.code == Code::kInvalid &&
         std::find(error.where.begin(), error.where.end(), "render") != error.where.end();
}

// Porch's wording, which users search for.
Error render_error(const Error& why, std::string_view outcome) {
  Error out = invalid("error rendering package in kpt function pipeline. {} Details: {}", outcome,
                      why.text());
  out.where = {"spec.resources"};
  return out;
}

}  // namespace

StatusOr<Outcome> PackageResources::serve(Call& call) {
  const std::string& verb = call.info.verb;
  if (!call.info.rest.empty() || !call.info.subresource.empty()) return kubeapi::no_such_path();
  const bool has_name = !call.info.name.empty();
  if (verb == "list" || verb == "watch") {
    call.view = std::make_shared<const View>(
        View{api::revision_kind(),
             [&packages = world_.packages, globs = globs_of(call)](const Value& revision) {
               const auto content = read(packages, revision, globs);
               return content ? resources_object(revision, **content, Value())
                              : unreadable_resources(revision, content.error());
             }});
    return stored_.serve(call);
  }
  if (call.info.ns.empty()) return has_name ? kubeapi::no_such_path() : kubeapi::no_such_method();
  if (verb == "get") return get(call);
  if (verb == "update" && has_name) return update(call);
  if (verb == "patch" && has_name) return patch(call);
  return kubeapi::no_such_method();
}

StatusOr<Value> PackageResources::find(const Call& call) const {
  auto found = world_.registry.get(packages::revision_key(call.info.ns, call.info.name));
  if (found) return *std::move(found);
  return kubeapi::status_error_of(found.error(), call.named(), call.info.name);
}

StatusOr<Value> PackageResources::live(const Call& call, const Value& revision) const {
  const auto content = read(world_.packages, revision, globs_of(call));
  if (!content) return refused_write(call, content.error(), call.info.name);
  return resources_object(revision, **content, Value());
}

StatusOr<Outcome> PackageResources::get(Call& call) {
  PORTICO_TRY(const Value revision, find(call));
  PORTICO_TRY(const Value object, live(call, revision));
  return answer(call, object);
}

StatusOr<Outcome> PackageResources::update(Call& call) {
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "UpdateOptions", false));
  PORTICO_TRY(const Value sent, decode_object(call));
  PORTICO_TRY(const Value revision, find(call));
  PORTICO_DO(check_identity(call, revision, sent));
  PORTICO_TRY(const Value object, replace(call, revision, sent, options));
  return answer(call, object);
}

StatusOr<Outcome> PackageResources::patch(Call& call) {
  if (!globs_of(call).empty())
    return kubeapi::bad_request("path is only for reading: a patch applies to all files");
  const bool applies = is_apply(call);
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "PatchOptions", applies));
  for (int attempt = 1;; ++attempt) {
    PORTICO_TRY(const Value revision, find(call));
    PORTICO_TRY(const Value before, live(call, revision));
    Value wanted;
    if (applies) {
      // Ownership of files is not recorded: the applied object is merged over the current one.
      PORTICO_TRY(const Value applied, applied_object(call));
      const auto merged =
          fieldset::apply(before, applied, options.force, versions_of(call),
                          writer_of(call, options.field_manager, world_.clock.now()));
      if (!merged) return kubeapi::status_error_of(merged.error());
      wanted = *merged;
    } else {
      PORTICO_TRY(wanted, patched(call, before));
    }
    PORTICO_DO(check_identity(call, revision, wanted));
    const auto object = replace(call, revision, wanted, options);
    if (object) return answer(call, *object);
    if (object.error().code != 409 || attempt == kMostBuilds) return object.error();
  }
}

void PackageResources::tell_change(const Call& call, const Value& revision,
                                   const Value& now) const {
  if (!now.is_null()) log_action(world_.log, call, "changed", krm::object_key(revision));
}

StatusOr<Value> PackageResources::replace(Call& call, const Value& revision, const Value& wanted,
                                          const kubeapi::WriteOptions& options) {
  const std::string& name = call.info.name;
  PORTICO_TRY(const api::PackageRevisionResources sent,
              decode_kind<api::PackageRevisionResources>(
                  call, wanted.without_at({"metadata", "managedFields"}), options.validation));
  if (const std::string_view lifecycle = revision["spec"]["lifecycle"].as_string();
      lifecycle != api::kDraft)
    return refused_write(
        call,
        invalid("cannot update a package revision with lifecycle value {:?}; package must be Draft",
                lifecycle),
        name);
  const auto stored = world_.packages.read(revision);
  if (!stored) return refused_write(call, stored.error(), name);
  auto content = with_resources(**stored, sent.spec.resources);
  if (!content) return refused_write(call, content.error(), name);

  drafts::DraftRequest request;
  request.ns = call.info.ns;
  request.repository = revision["spec"]["repository"].as_string();
  request.package = revision["spec"]["packageName"].as_string();
  request.workspace = revision["spec"]["workspaceName"].as_string();
  request.draft = name;
  request.resource_version = revision["metadata"]["resourceVersion"].as_string();
  // A change of comments counts as a change.
  request.only_if_changed = *content == **stored;
  request.source = drafts::ReplaceSource{*std::move(content), true};
  request.dry_run = options.dry_run;
  request.actor = actor_of(call);
  auto drafted = world_.drafts.draft(request);
  if (!drafted && failed_to_render(drafted.error())) {
    if (krm::annotation_of(revision, kPushAnyway) != "true")
      return refused_write(call,
                           render_error(drafted.error(),
                                        "Package NOT pushed to remote. Fix locally (until 'kpt fn "
                                        "render' succeeds) and retry."),
                           name);
    request.render = false;
    const auto pushed = world_.drafts.draft(request);
    if (!pushed) return refused_write(call, pushed.error(), name);
    tell_change(call, revision, pushed->object);
    return refused_write(
        call, render_error(drafted.error(), "Package pushed to remote despite render failure."),
        name);
  }
  if (!drafted && drafted.error().code == Code::kConflict) return modified(call, name);
  if (!drafted) return refused_write(call, drafted.error(), name);
  tell_change(call, revision, drafted->object);
  const Value& now = drafted->object.is_null() ? revision : drafted->object;
  return resources_object(now, drafted->built.content, drafted->built.render_status);
}

}  // namespace portico::apiserver
