#include "kubeapi/answers.h"

#include "api/kinds.h"
#include "api/old_package_variant_set.h"
#include "kubeapi/event_forms.h"

namespace portico::kubeapi {

using json::Value;

namespace {

std::string meta_version(std::string_view version) {
  return fmt::format("meta.k8s.io/{}", version);
}

Value to_value(const ListMeta& meta) {
  Value out = Value::object();
  if (!meta.version.empty()) out = out.with("resourceVersion", meta.version);
  if (!meta.continue_token.empty()) out = out.with("continue", meta.continue_token);
  if (meta.remaining)
    out = out.with("remainingItemCount", static_cast<std::int64_t>(*meta.remaining));
  return out;
}

Value head_of(const Version& version) {
  std::vector<Value> columns;
  for (const Column& column : version.columns)
    columns.push_back(Value::object({{"name", column.name},
                                     {"type", column.type},
                                     {"format", column.format},
                                     {"description", column.description},
                                     {"priority", column.priority}}));
  return Value::array(std::move(columns));
}

// `meta`: the meta.k8s.io version of the result.
Value metadata_of(const Value& object, const Value& meta) {
  return Value::object(
      {{"apiVersion", meta}, {"kind", "PartialObjectMetadata"}, {"metadata", object["metadata"]}});
}

Value row_of(const Value& object, const Version& version, IncludeObject include, const Value& meta,
             std::string_view now) {
  std::vector<Value> cells;
  cells.reserve(version.columns.size());
  for (const Column& column : version.columns) cells.push_back(column.cell(object, now));
  const Value shown = include == IncludeObject::kObject     ? object
                      : include == IncludeObject::kMetadata ? metadata_of(object, meta)
                                                            : Value();
  return Value::object({{"cells", Value::array(std::move(cells))}, {"object", shown}});
}

Value table(const std::vector<Value>& objects, Value metadata, const Version& version,
            const Form& form, IncludeObject include, std::string_view now, bool with_head) {
  const Value meta(meta_version(form.version));
  std::vector<Value> rows;
  rows.reserve(objects.size());
  for (const Value& object : objects) rows.push_back(row_of(object, version, include, meta, now));
  return Value::object({{"kind", "Table"},
                        {"apiVersion", meta},
                        {"metadata", std::move(metadata)},
                        {"columnDefinitions", with_head ? head_of(version) : Value::array()},
                        {"rows", Value::array(std::move(rows))}});
}

// Kubernetes' name of a list type in its errors.
std::string go_list_name(const ResourceType& type) {
  return type.origin == Origin::kDefinition ? "*unstructured.UnstructuredList"
                                            : fmt::format("*core.{}List", type.names.kind);
}

}  // namespace

StatusOr<IncludeObject> include_object(std::string_view parameter) {
  if (parameter == "None") return IncludeObject::kNone;
  if (parameter.empty() || parameter == "Metadata") return IncludeObject::kMetadata;
  if (parameter == "Object") return IncludeObject::kObject;
  return bad_request(
      fmt::format("Unable to convert to Table as requested: includeObject: Invalid value: \"{}\": "
                  "must be 'Metadata', 'Object', 'None', or empty",
                  parameter));
}

std::string api_version(const ResourceType& type, std::string_view version) {
  return type.names.group.empty() ? std::string(version)
                                  : fmt::format("{}/{}", type.names.group, version);
}

StatusOr<Value> at_version(const Value& object, const ResourceType& type,
                           std::string_view version) {
  const std::string_view now = object["apiVersion"].as_string();
  const krm::GroupVersion said = krm::group_version(now);
  if (said.group == type.names.group && said.version == version) return object;
  const std::string wanted = api_version(type, version);
  if (type.names.kind == "Event" && said.group != type.names.group)
    return type.names.group.empty() ? core_event(object) : new_event(object);
  if (type.names.group != api::kConfigGroup) return object.with("apiVersion", wanted);
  auto converted = api::in_version(object, wanted);
  if (converted) return *std::move(converted);
  return plain_error(fmt::format("conversion of {} {} from {} failed: {}", type.names.kind,
                                 krm::name_of(object), now, converted.error().text()));
}

Value partial_metadata(const Value& object, std::string_view version) {
  return metadata_of(object, meta_version(version));
}

StatusOr<Value> object_answer(const Value& object, const ResourceType& type, const Version& version,
                              const Form& form, IncludeObject include, std::string_view now) {
  switch (form.shape) {
    case Shape::kTable: {
      ListMeta meta;
      meta.version = object["metadata"]["resourceVersion"].as_string();
      return table({object}, to_value(meta), version, form, include, now, true);
    }
    case Shape::kPartialMetadata:
      return partial_metadata(object, form.version);
    case Shape::kPartialMetadataList:
      return not_acceptable(
          fmt::format("you requested PartialObjectMetadataList, but the requested object is not a "
                      "list (*core.{})",
                      type.names.kind));
    default:
      return object;
  }
}

StatusOr<Value> list_answer(const std::vector<Value>& objects, const ListMeta& meta,
                            const ResourceType& type, const Version& version, const Form& form,
                            IncludeObject include, std::string_view now) {
  switch (form.shape) {
    case Shape::kTable:
      return table(objects, to_value(meta), version, form, include, now, true);
    case Shape::kPartialMetadata:
      return not_acceptable(fmt::format(
          "you requested PartialObjectMetadata, but the requested object is a list ({})",
          go_list_name(type)));
    case Shape::kPartialMetadataList: {
      const Value version_of_meta(meta_version(form.version));
      std::vector<Value> items;
      items.reserve(objects.size());
      for (const Value& object : objects) items.push_back(metadata_of(object, version_of_meta));
      return Value::object({{"kind", "PartialObjectMetadataList"},
                            {"apiVersion", version_of_meta},
                            {"metadata", to_value(meta)},
                            // Kubernetes' built-in kinds use null for an empty list.
                            {"items", items.empty() && type.origin != Origin::kDefinition
                                          ? Value()
                                          : Value::array(std::move(items))}});
    }
    default:
      break;
  }
  std::vector<Value> items;
  items.reserve(objects.size());
  for (const Value& object : objects)
    // Items of built-in kinds omit apiVersion and kind, as in Kubernetes.
    items.push_back(type.origin == Origin::kStored ? object.without("kind").without("apiVersion")
                                                   : object);
  Value metadata = to_value(meta);
  // Lists of custom resources always have it in Kubernetes, and clients print it.
  if (type.origin == Origin::kDefinition) metadata = metadata.with("continue", meta.continue_token);
  return Value::object({{"kind", type.list_kind},
                        {"apiVersion", api_version(type, version.name)},
                        {"metadata", std::move(metadata)},
                        {"items", Value::array(std::move(items))}});
}

}  // namespace portico::kubeapi
