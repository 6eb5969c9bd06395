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
  "description": "A time in RFC 3339, in whole seconds."},
"FieldsV1": {"type": "object",
  "description": "Fields as a tree: f:NAME for a member, k:KEYS and v:VALUE for items of a list."},
"ListMeta": {"type": "object", "description": "What a list says of itself.", "properties": {
  "continue": {"type": "string",
    "description": "Set where there is more: sent back, it gives the next page of the same state."},
  "remainingItemCount": {"type": "integer", "format": "int64",
    "description": "How many objects come after this page, where that is known."},
  "resourceVersion": {"type": "string",
    "description": "The state that was read: a watch can go on from it."},
  "selfLink": {"type": "string", "description": "Not used any more."}}},
"ManagedFieldsEntry": {"type": "object",
  "description": "The fields that one manager owns, by one way of writing.", "properties": {
  "apiVersion": {"type": "string", "description": "The version in which the fields are named."},
  "fieldsType": {"type": "string", "description": "FieldsV1."},
  "fieldsV1": {"$ref": "FieldsV1", "description": "The fields."},
  "manager": {"type": "string", "description": "Who writes."},
  "operation": {"type": "string", "description": "Apply or Update."},
  "subresource": {"type": "string", "description": "Through which subresource; empty for none."},
  "time": {"$ref": "Time", "description": "When the entry changed last."}}},
"OwnerReference": {"type": "object", "x-kubernetes-map-type": "atomic",
  "description": "An object that this one goes with: in the same namespace, or in none.",
  "required": ["apiVersion", "kind", "name", "uid"], "properties": {
  "apiVersion": {"type": "string", "default": "", "description": "The owner's version."},
  "blockOwnerDeletion": {"type": "boolean",
    "description": "A foreground deletion of the owner waits for this object."},
  "controller": {"type": "boolean", "description": "The owner is what manages this object."},
  "kind": {"type": "string", "default": "", "description": "The owner's kind."},
  "name": {"type": "string", "default": "", "description": "The owner's name."},
  "uid": {"type": "string", "default": "", "description": "The owner's uid."}}},
"ObjectMeta": {"type": "object", "description": "What every stored object has.", "properties": {
  "annotations": {"type": "object", "additionalProperties": {"type": "string", "default": ""},
    "description": "Texts by key, for programs and people; nothing is selected by them."},
  "creationTimestamp": {"$ref": "Time", "description": "When the object was made."},
  "deletionGracePeriodSeconds": {"type": "integer", "format": "int64",
    "description": "How long the object may take to go; set with deletionTimestamp."},
  "deletionTimestamp": {"$ref": "Time",
    "description": "Set where the object is being deleted: it goes with its last finalizer."},
  "finalizers": {"type": "array", "items": {"type": "string", "default": ""},
    "x-kubernetes-list-type": "set", "x-kubernetes-patch-strategy": "merge",
    "description": "What must be done before the object goes; who did it takes its entry away."},
  "generateName": {"type": "string",
    "description": "The beginning of a name that the server ends, where no name is given."},
  "generation": {"type": "integer", "format": "int64",
    "description": "Counts changes of what is wanted."},
  "labels": {"type": "object", "additionalProperties": {"type": "string", "default": ""},
    "description": "Short texts by key, by which objects are selected."},
  "managedFields": {"type": "array", "items": {"$ref": "ManagedFieldsEntry", "default": {}},
    "x-kubernetes-list-type": "atomic", "description": "Who owns which field."},
  "name": {"type": "string",
    "description": "Unique among the objects of the kind and namespace; never changes."},
  "namespace": {"type": "string", "description": "Where the object lies; never changes."},
  "ownerReferences": {"type": "array", "items": {"$ref": "OwnerReference", "default": {}},
    "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"],
    "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "uid",
    "description": "The objects that this one goes with, when the last of them is deleted."},
  "resourceVersion": {"type": "string",
    "description": "Changes with each write: an update that sends it is refused if it is old."},
  "selfLink": {"type": "string", "description": "Not used any more."},
  "uid": {"type": "string",
    "description": "Unique in time and space: another object of the same name has another."}}},
"Patch": {"type": "object",
  "description": "A change: a list of operations, a partial object, or an object to apply."},
"Preconditions": {"type": "object", "description": "What must be so, or nothing is done.",
  "properties": {
  "resourceVersion": {"type": "string", "description": "The object's version."},
  "uid": {"type": "string", "description": "The object's uid."}}},
"DeleteOptions": {"type": "object", "description": "How an object is deleted.", "properties": {
  "apiVersion": {"type": "string", "description": "The version of these options."},
  "dryRun": {"type": "array", "items": {"type": "string", "default": ""},
    "x-kubernetes-list-type": "atomic", "description": "All: nothing is stored."},
  "gracePeriodSeconds": {"type": "integer", "format": "int64",
    "description": "How long the object may take."},
  "kind": {"type": "string", "description": "DeleteOptions."},
  "orphanDependents": {"type": "boolean", "description": "Use propagationPolicy instead."},
  "preconditions": {"$ref": "Preconditions", "description": "What must be so."},
  "propagationPolicy": {"type": "string",
    "description": "What becomes of the objects that it owns: Orphan, Background, Foreground."}}},
"StatusCause": {"type": "object", "description": "One thing that is wrong.", "properties": {
  "field": {"type": "string", "description": "Where: a path in the object that was sent."},
  "message": {"type": "string", "description": "What, for people."},
  "reason": {"type": "string", "description": "What, for programs."}}},
"StatusDetails": {"type": "object", "description": "What a Status is about.", "properties": {
  "causes": {"type": "array", "items": {"$ref": "StatusCause", "default": {}},
    "x-kubernetes-list-type": "atomic", "description": "All that is wrong."},
  "group": {"type": "string", "description": "The group of the object's kind."},
  "kind": {"type": "string", "description": "The kind or resource of the object."},
  "name": {"type": "string", "description": "The object's name."},
  "retryAfterSeconds": {"type": "integer", "format": "int32",
    "description": "When to try again."},
  "uid": {"type": "string", "description": "The object's uid."}}},
"Status": {"type": "object", "description": "An answer without an object: mostly a refusal.",
  "properties": {
  "apiVersion": {"type": "string", "description": "v1."},
  "code": {"type": "integer", "format": "int32", "description": "The code of HTTP."},
  "details": {"$ref": "StatusDetails", "x-kubernetes-list-type": "atomic",
    "description": "What it is about."},
  "kind": {"type": "string", "description": "Status."},
  "message": {"type": "string", "description": "What happened, for people."},
  "metadata": {"$ref": "ListMeta", "default": {}, "description": "Of no meaning here."},
  "reason": {"type": "string", "description": "What happened, for programs."},
  "status": {"type": "string", "description": "Success or Failure."}}},
"Scale": {"type": "object", "description": "How many copies there are and shall be.",
  "properties": {
  "apiVersion": {"type": "string", "description": "autoscaling/v1."},
  "kind": {"type": "string", "description": "Scale."},
  "metadata": {"$ref": "ObjectMeta", "default": {}, "description": "Of the object."},
  "spec": {"type": "object", "description": "What is wanted.",
    "properties": {"replicas": {"type": "integer", "format": "int32"}}},
  "status": {"type": "object", "description": "What is there.", "properties": {
    "replicas": {"type": "integer", "format": "int32"}, "selector": {"type": "string"}}}}}})";

constexpr std::string_view kApiVersionText =
    "The version of this object's form: GROUP/VERSION, or VERSION for the core group.";
constexpr std::string_view kKindText = "What this object is, by the name of its kind.";
constexpr std::string_view kMetadataText = "The object's name, labels, owners and versions.";

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
