#include "kubeapi/internal/openapi_schemas.h"

#include "json/text.h"
#include "kubeapi/common_fields.h"
#include "kubeapi/openapi.h"

namespace portico::kubeapi {

using json::Value;

namespace {

constexpr std::string_view kMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.";

// A reference names a type of this table; its sibling members are kept if the form supports them.
constexpr std::string_view kMetaSchemas = R"({
"Time": {"type": "string", "format": "date-time",
  "description": "Time in RFC 3339 format, in whole seconds."},
"FieldsV1": {"type": "object",
  "description": "Set of fields as a tree: f:NAME for a field, k:KEYS and v:VALUE for list items."},
"ListMeta": {"type": "object", "description": "Metadata of a list.", "properties": {
  "continue": {"type": "string",
    "description": "Set if there are more items: pass it as continue to get the next page of the same list."},
  "remainingItemCount": {"type": "integer", "format": "int64",
    "description": "Number of items after this page, if known."},
  "resourceVersion": {"type": "string",
    "description": "Version of the list, from which a watch can start."},
  "selfLink": {"type": "string", "description": "Deprecated: no longer set."}}},
"ManagedFieldsEntry": {"type": "object",
  "description": "Set of fields that a manager owns through one operation.", "properties": {
  "apiVersion": {"type": "string",
    "description": "Version of the resource that the field set applies to."},
  "fieldsType": {"type": "string", "description": "Format of the field set: FieldsV1."},
  "fieldsV1": {"$ref": "FieldsV1", "description": "The field set."},
  "manager": {"type": "string", "description": "Name of the field manager."},
  "operation": {"type": "string", "description": "Type of the operation: Apply or Update."},
  "subresource": {"type": "string",
    "description": "Subresource that was written; empty for the main resource."},
  "time": {"$ref": "Time", "description": "Time of the last change of this entry."}}},
"OwnerReference": {"type": "object", "x-kubernetes-map-type": "atomic",
  "description": "Owning object, in the same namespace or cluster-scoped.",
  "required": ["apiVersion", "kind", "name", "uid"], "properties": {
  "apiVersion": {"type": "string", "default": "", "description": "API version of the owner."},
  "blockOwnerDeletion": {"type": "boolean",
    "description": "If true, foreground deletion of the owner waits until this object is deleted."},
  "controller": {"type": "boolean",
    "description": "If true, the owner is the managing controller of this object."},
  "kind": {"type": "string", "default": "", "description": "Kind of the owner."},
  "name": {"type": "string", "default": "", "description": "Name of the owner."},
  "uid": {"type": "string", "default": "", "description": "UID of the owner."}}},
"ObjectMeta": {"type": "object",
  "description": "Metadata that all persisted objects have.", "properties": {
  "annotations": {"type": "object", "additionalProperties": {"type": "string", "default": ""},
    "description": "Unstructured key-value map of arbitrary metadata; not queryable."},
  "creationTimestamp": {"$ref": "Time", "description": "Time when the object was created."},
  "deletionGracePeriodSeconds": {"type": "integer", "format": "int64",
    "description": "Seconds before the object is deleted; only set together with deletionTimestamp."},
  "deletionTimestamp": {"$ref": "Time",
    "description": "Time when deletion was requested; the object is removed once finalizers is empty."},
  "finalizers": {"type": "array", "items": {"type": "string", "default": ""},
    "x-kubernetes-list-type": "set", "x-kubernetes-patch-strategy": "merge",
    "description": "Must be empty before the object is removed; each entry is removed by the component responsible for it."},
  "generateName": {"type": "string",
    "description": "Prefix for a unique name that the server generates if name is not set."},
  "generation": {"type": "integer", "format": "int64",
    "description": "Sequence number of the desired state."},
  "labels": {"type": "object", "additionalProperties": {"type": "string", "default": ""},
    "description": "Key-value map that is used to organize and select objects."},
  "managedFields": {"type": "array", "items": {"$ref": "ManagedFieldsEntry", "default": {}},
    "x-kubernetes-list-type": "atomic", "description": "Field ownership by field manager."},
  "name": {"type": "string",
    "description": "Name, unique within a namespace for each kind. Cannot be updated."},
  "namespace": {"type": "string", "description": "Namespace of the object. Cannot be updated."},
  "ownerReferences": {"type": "array", "items": {"$ref": "OwnerReference", "default": {}},
    "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"],
    "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "uid",
    "description": "Objects that this object depends on; it is garbage collected once all of them are deleted."},
  "resourceVersion": {"type": "string",
    "description": "Internal version for optimistic concurrency: an update with an old version is rejected."},
  "selfLink": {"type": "string", "description": "Deprecated: no longer set."},
  "uid": {"type": "string",
    "description": "Unique in time and space: a recreated object of the same name has a different UID."}}},
"Patch": {"type": "object",
  "description": "A patch: a list of operations, a partial object, or an object to apply."},
"Preconditions": {"type": "object",
  "description": "Preconditions that must be fulfilled before the operation is carried out.",
  "properties": {
  "resourceVersion": {"type": "string", "description": "Required resourceVersion of the object."},
  "uid": {"type": "string", "description": "Required UID of the object."}}},
"DeleteOptions": {"type": "object",
  "description": "Options for deleting an object.", "properties": {
  "apiVersion": {"type": "string", "description": "API version of these options."},
  "dryRun": {"type": "array", "items": {"type": "string", "default": ""},
    "x-kubernetes-list-type": "atomic", "description": "All: modifications are not persisted."},
  "gracePeriodSeconds": {"type": "integer", "format": "int64",
    "description": "Seconds before the object is deleted."},
  "kind": {"type": "string", "description": "Kind: DeleteOptions."},
  "orphanDependents": {"type": "boolean", "description": "Deprecated: use propagationPolicy."},
  "preconditions": {"$ref": "Preconditions", "description": "Preconditions of the deletion."},
  "propagationPolicy": {"type": "string",
    "description": "Whether and how dependent objects are deleted: Orphan, Background or Foreground."}}},
"StatusCause": {"type": "object", "description": "One cause of a failure.", "properties": {
  "field": {"type": "string",
    "description": "Field of the object that caused the error, as a path."},
  "message": {"type": "string", "description": "Human-readable description of the cause."},
  "reason": {"type": "string", "description": "Machine-readable description of the cause."}}},
"StatusDetails": {"type": "object", "description": "Extended data about a Status.", "properties": {
  "causes": {"type": "array", "items": {"$ref": "StatusCause", "default": {}},
    "x-kubernetes-list-type": "atomic", "description": "Causes of the failure."},
  "group": {"type": "string", "description": "API group of the object."},
  "kind": {"type": "string", "description": "Kind or resource of the object."},
  "name": {"type": "string", "description": "The object's name."},
  "retryAfterSeconds": {"type": "integer", "format": "int32",
    "description": "Seconds after which the request should be retried."},
  "uid": {"type": "string", "description": "Required UID of the object."}}},
"Status": {"type": "object",
  "description": "Result of a request that does not return another object.",
  "properties": {
  "apiVersion": {"type": "string", "description": "API version: v1."},
  "code": {"type": "integer", "format": "int32", "description": "HTTP status code."},
  "details": {"$ref": "StatusDetails", "x-kubernetes-list-type": "atomic",
    "description": "Extended data about the reason."},
  "kind": {"type": "string", "description": "Kind: Status."},
  "message": {"type": "string", "description": "Human-readable description of the status."},
  "metadata": {"$ref": "ListMeta", "default": {},
    "description": "Standard list metadata, without meaning here."},
  "reason": {"type": "string", "description": "Machine-readable reason for the status."},
  "status": {"type": "string", "description": "Success or Failure."}}},
"Scale": {"type": "object", "description": "Scale represents a scaling request for a resource.",
  "properties": {
  "apiVersion": {"type": "string", "description": "API version: autoscaling/v1."},
  "kind": {"type": "string", "description": "Kind: Scale."},
  "metadata": {"$ref": "ObjectMeta", "default": {}, "description": "Standard object metadata."},
  "spec": {"type": "object", "description": "Desired state.",
    "properties": {"replicas": {"type": "integer", "format": "int32"}}},
  "status": {"type": "object", "description": "Current state.", "properties": {
    "replicas": {"type": "integer", "format": "int32"}, "selector": {"type": "string"}}}}}})";

constexpr std::string_view kApiVersionText =
    "Versioned schema of this object: GROUP/VERSION, or VERSION for the core group.";
constexpr std::string_view kKindText = "REST resource that this object represents, in CamelCase.";
constexpr std::string_view kMetadataText =
    "Standard object metadata: name, labels, owners and versions.";

Value described(Value schema, std::string_view text) { return schema.with("description", text); }

Value reference(OpenApi form, std::string_view name, bool with_default) {
  Value target = Value::object({{"$ref", schema_reference(form, name)}});
  if (form == OpenApi::kV2) return target;
  Value out = Value::object({{"allOf", Value::array({target})}});
  return with_default ? out.with("default", Value::object()) : out;
}

bool is_schema_list(std::string_view name) {
  return name == "allOf" || name == "anyOf" || name == "oneOf";
}

// Swagger 2.0 has no alternatives and no null: schemas that use them accept anything.
Value lossy(const Value& schema) {
  Value out = schema.without("default");
  for (const char* member : {"allOf", "anyOf", "not", "nullable", "oneOf"})
    out = out.without(member);
  const bool keeps = schema["x-kubernetes-preserve-unknown-fields"].as_bool();
  if (schema["x-kubernetes-int-or-string"].as_bool() || schema["nullable"].as_bool() || keeps)
    out = out.without("type");
  if (keeps || schema["nullable"].as_bool())
    for (const char* member : {"additionalProperties", "items", "properties", "required"})
      out = out.without(member);
  return out;
}

// `core`: a kind that Kubernetes compiles in, whose strings are never null.
Value published(const Value& schema, OpenApi form, bool core, bool item = false) {
  if (!schema.is_object()) return schema;
  if (const Value* named = schema.find("$ref")) {
    const std::string name = meta_name(named->as_string());
    Value out = reference(form, name, schema.contains("default"));
    const Value* text = schema.find("description");
    return text != nullptr ? described(std::move(out), text->as_string()) : out;
  }
  Value out = form == OpenApi::kV2 ? lossy(schema) : schema;
  if (form == OpenApi::kV3 && core && item && schema["type"].as_string() == "string" &&
      !schema.contains("format"))
    out = out.with("default", "");
  for (const char* member : {"items", "additionalProperties"})
    if (const Value* below = out.find(member))
      out = out.with(member, published(*below, form, core, true));
  if (const Value* below = out.find("properties"))
    for (const json::Member& property : below->members())
      out = out.with_at({"properties", property.name()}, published(property.value, form, core));
  if (schema["x-kubernetes-embedded-resource"].as_bool() && out["properties"].contains("metadata"))
    out = out.with_at({"properties", "metadata"}, reference(form, meta_name("ObjectMeta"), false));
  for (const json::Member& member : schema.members())
    if (is_schema_list(member.name()) && form == OpenApi::kV3)
      for (std::size_t i = 0; i < member.value.size(); ++i)
        out = out.with(member.name(),
                       out[member.name()].with_item(i, published(member.value[i], form, core)));
  return out;
}

Value identity(std::string_view group, std::string_view version, std::string_view kind) {
  return Value::object({{"group", group}, {"version", version}, {"kind", kind}});
}

Value with_type_fields(Value schema, OpenApi form, std::string_view meta, bool with_default) {
  const Value text = Value::object({{"type", "string"}});
  return schema.with_at({"properties", "apiVersion"}, described(text, kApiVersionText))
      .with_at({"properties", "kind"}, described(text, kKindText))
      .with_at({"properties", "metadata"},
               described(reference(form, meta_name(meta), with_default), kMetadataText));
}

// For custom resources: the paths that field selectors may use.
Value selectable(const Version& version) {
  std::vector<Value> out;
  for (const std::string& path : version.selectable_fields)
    out.push_back(Value::object({{"fieldPath", path}}));
  return Value::array(std::move(out));
}

// `schema` with references replaced by the types in `types`.
Value resolved(const Value& schema, const Value& types) {
  Value out = schema;
  if (const Value* named = schema.find("$ref")) {
    out = types[named->as_string()];
    if (const Value* text = schema.find("description"))
      out = described(std::move(out), text->as_string());
  }
  if (const Value* below = out.find("items")) out = out.with("items", resolved(*below, types));
  if (const Value* below = out.find("properties"))
    for (const json::Member& property : below->members())
      out = out.with_at({"properties", property.name()}, resolved(property.value, types));
  return out;
}

}  // namespace

Value with_common_fields(const Value& schema) {
  const auto types = json::parse(kMetaSchemas);
  if (!types) return schema;
  const Value text = Value::object({{"type", "string"}});
  return schema.with_at({"properties", "apiVersion"}, described(text, kApiVersionText))
      .with_at({"properties", "kind"}, described(text, kKindText))
      .with_at({"properties", "metadata"},
               described(resolved((*types)["ObjectMeta"], *types), kMetadataText));
}

std::string schema_reference(OpenApi form, std::string_view name) {
  return fmt::format("{}{}", form == OpenApi::kV2 ? "#/definitions/" : "#/components/schemas/",
                     name);
}

std::string meta_name(std::string_view type) {
  if (type == "Scale") return "io.k8s.api.autoscaling.v1.Scale";
  return fmt::format("{}{}", kMeta, type);
}

Value with_meta_schemas(const Value& schemas, const std::vector<GroupVersion>& groups,
                        OpenApi form) {
  const auto all = json::parse(kMetaSchemas);
  Value out = schemas;
  for (const json::Member& member : all ? all->members() : std::span<const json::Member>())
    out = out.with(meta_name(member.name()), published(member.value, form, false));
  std::vector<Value> identities;
  for (const GroupVersion& each : groups)
    identities.push_back(identity(each.group, each.version, "DeleteOptions"));
  const std::string options = meta_name("DeleteOptions"), status = meta_name("Status"),
                    scale = meta_name("Scale");
  out = out.with(options, out[options].with("x-kubernetes-group-version-kind",
                                            Value::array(std::move(identities))));
  out = out.with(status, out[status].with("x-kubernetes-group-version-kind",
                                          Value::array({identity("", "v1", "Status")})));
  return out.with(scale, out[scale].with("x-kubernetes-group-version-kind",
                                         Value::array({identity("autoscaling", "v1", "Scale")})));
}

Value with_kind_schemas(const Value& schemas, const ResourceType& type, const Version& version,
                        OpenApi form) {
  const bool core = type.origin == Origin::kStored || type.origin == Origin::kComputed;
  const std::string& group = type.names.group;
  const std::string name = openapi_name(group, version.name, type.names.kind);
  const std::string list_name = openapi_name(group, version.name, type.list_kind);
  Value kind = published(version.schema->source, form, core);
  if (!kind.is_object())
    kind = Value::object({{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}});
  // In Swagger 2.0, an object that accepts anything lists no fields.
  if (form == OpenApi::kV2 && kind["x-kubernetes-preserve-unknown-fields"].as_bool())
    kind = Value::object({{"type", "object"}});
  else
    kind = with_type_fields(std::move(kind), form, "ObjectMeta", core);
  kind = kind.with("x-kubernetes-group-version-kind",
                   Value::array({identity(group, version.name, type.names.kind)}));
  if (!type.can("list")) return schemas.with(name, std::move(kind));
  Value list = Value::object(
      {{"type", "object"},
       {"description", fmt::format("{} is a list of {}", type.list_kind, type.names.kind)},
       {"required", Value::array({"items"})}});
  list = with_type_fields(std::move(list), form, "ListMeta", core);
  list = list.with_at({"properties", "items"},
                      Value::object({{"type", "array"},
                                     {"description", fmt::format("List of {}.", type.names.plural)},
                                     {"items", reference(form, name, core)}}));
  list = list.with("x-kubernetes-group-version-kind",
                   Value::array({identity(group, version.name, type.list_kind)}));
  if (!version.selectable_fields.empty()) {
    kind = kind.with("x-kubernetes-selectable-fields", selectable(version));
    list = list.with("x-kubernetes-selectable-fields", selectable(version));
  }
  return schemas.with(name, std::move(kind)).with(list_name, std::move(list));
}

}  // namespace portico::kubeapi
