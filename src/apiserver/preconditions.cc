#include "apiserver/preconditions.h"

#include "apiserver/body.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;

std::string ns_of(const Call& call) { return call.type->namespaced ? call.info.ns : ""; }

bool is_new_event(const Call& call) {
  return call.named().group == "events.k8s.io" && call.named().kind == "Event";
}

krm::GroupKind stored_kind(const Call& call) {
  if (call.view) return call.view->stored;
  // One stored kind with two API forms.
  if (is_new_event(call)) return {"", "Event"};
  return call.type->kind();
}

krm::ObjectKey key_of(const Call& call) { return {stored_kind(call), ns_of(call), call.info.name}; }

kubeapi::StatusError modified(const Call& call, std::string_view name) {
  return kubeapi::conflict_of_resource(
      call.named(), name,
      "the object has been modified; please apply your changes to the latest version and try "
      "again");
}

StatusOr<Done> check_identity(const Call& call, const Value& old, const Value& sent) {
  if (krm::name_of(sent) != call.info.name)
    return kubeapi::bad_request(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                    krm::name_of(sent), call.info.name));
  const std::string_view ns = krm::namespace_of(sent);
  if (!ns.empty() && ns != ns_of(call))
    return kubeapi::bad_request(
        "the namespace of the provided object does not match the namespace sent on the request");
  const std::string_view version = sent["metadata"]["resourceVersion"].as_string();
  if (version.empty() && call.type->origin == kubeapi::Origin::kPackages)
    return kubeapi::invalid_object(
        call.named(), call.info.name,
        {{"FieldValueRequired", "Required value: resourceVersion must be specified for an update",
          "metadata.resourceVersion"}});
  if (version.empty() && call.type->origin == kubeapi::Origin::kDefinition)
    return kubeapi::invalid_object(
        {call.named().group, call.named().plural, call.named().plural}, call.info.name,
        {{"FieldValueInvalid", "Invalid value: 0: must be specified for an update",
          "metadata.resourceVersion"}});
  const std::string_view uid = krm::uid_of(sent);
  if (!uid.empty() && uid != krm::uid_of(old))
    return kubeapi::conflict_of_resource(
        call.named(), call.info.name,
        fmt::format("Precondition failed: UID in precondition: {}, UID in object meta: {}", uid,
                    krm::uid_of(old)));
  if (!version.empty() && version != old["metadata"]["resourceVersion"].as_string())
    return modified(call, call.info.name);
  return Done{};
}

StatusOr<kubeapi::DeleteOptions> delete_options_of(const Call& call) {
  PORTICO_TRY(const Value body, decode_delete_options(call));
  return kubeapi::delete_options(call.query, body);
}

StatusOr<Done> check_preconditions(const Call& call, const kubeapi::DeleteOptions& options,
                                   const Value& object) {
  const std::string_view uid = krm::uid_of(object),
                         version = object["metadata"]["resourceVersion"].as_string();
  if (!options.uid.empty() && options.uid != uid)
    return kubeapi::conflict_of_kind(
        call.named(), krm::name_of(object),
        fmt::format("the UID in the precondition ({}) does not match the UID in record ({}). The "
                    "object might have been deleted and then recreated",
                    options.uid, uid));
  if (!options.version.empty() && options.version != version)
    return kubeapi::conflict_of_kind(
        call.named(), krm::name_of(object),
        fmt::format("the ResourceVersion in the precondition ({}) does not match the "
                    "ResourceVersion in record ({}). The object might have been modified",
                    options.version, version));
  return Done{};
}

Value deleted_status(const Call& call, const Value& object) {
  Value details = Value::object({{"name", krm::name_of(object)},
                                 {"kind", call.named().plural},
                                 {"uid", krm::uid_of(object)}});
  if (!call.named().group.empty()) details = details.with("group", call.named().group);
  return Value::object({{"kind", "Status"},
                        {"apiVersion", "v1"},
                        {"metadata", Value::object()},
                        {"status", "Success"},
                        {"details", std::move(details)}});
}

}  // namespace portico::apiserver
