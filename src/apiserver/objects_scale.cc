#include "apiserver/body.h"
#include "apiserver/internal/scale.h"
#include "apiserver/objects.h"
#include "apiserver/owners.h"
#include "apiserver/patches.h"
#include "apiserver/preconditions.h"
#include "kubeapi/answers.h"
#include "kubeapi/options.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;
using registry::Verb;

StatusOr<Outcome> Objects::scale(Call& call) {
  const std::string& verb = call.info.verb;
  if (verb == "get") {
    PORTICO_TRY(const Value object, stored(call));
    return Outcome(Made{200, scale_of(object, *call.version->scale)});
  }
  if (verb != "update" && verb != "patch") return kubeapi::not_supported(call.named(), verb);
  const bool patches = verb == "patch";
  PORTICO_TRY(
      const auto options,
      kubeapi::write_options(call.query, patches ? "PatchOptions" : "UpdateOptions", false));
  Value sent;
  if (!patches) {
    PORTICO_TRY(sent,
                decode_body(call.request.headers.get("Content-Type"), call.request.body, "Scale"));
    if (sent["kind"].as_string() != "Scale" || sent["apiVersion"].as_string() != "autoscaling/v1")
      return kubeapi::bad_request(
          fmt::format("\"{}\" of {} cannot be handled as a Scale of autoscaling/v1",
                      sent["kind"].as_string(), sent["apiVersion"].as_string()));
  }
  for (int attempt = 1;; ++attempt) {
    PORTICO_TRY(const Value found, stored(call));
    PORTICO_TRY(const Value old, shown(call, found));
    if (patches) {
      PORTICO_TRY(sent, patched(call, scale_of(old, *call.version->scale)));
    }
    auto updated = rescale(call, old, sent, options);
    if (updated) return Outcome(Made{200, scale_of(*updated, *call.version->scale)});
    const bool names_version = !patches && sent["metadata"].contains("resourceVersion");
    if (updated.error().code != 409 || names_version || attempt == kMostTries)
      return updated.error();
  }
}

StatusOr<Value> Objects::rescale(Call& call, const Value& old, const Value& scale,
                                 const kubeapi::WriteOptions& options) {
  if (krm::name_of(scale) != call.info.name)
    return kubeapi::bad_request(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                    krm::name_of(scale), call.info.name));
  const std::string_view version = scale["metadata"]["resourceVersion"].as_string();
  if (!version.empty() && version != old["metadata"]["resourceVersion"].as_string())
    return modified(call, call.info.name);
  PORTICO_TRY(const Prepared prepared,
              prepare_update(call, old, with_scale(old, scale, *call.version->scale), Part::kMain,
                             kubeapi::FieldValidation::kIgnore));
  PORTICO_TRY(const Value allowed, granted(call, old, prepared, call.info.name));
  Value object = fieldset::unless_only_times(old, tracked(call, old, prepared, allowed, options));
  object = object.with_at({"metadata", "resourceVersion"}, old["metadata"]["resourceVersion"]);
  return commit(call, {Verb::kUpdate, object}, options.dry_run);
}

}  // namespace portico::apiserver
