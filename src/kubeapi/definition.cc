#include <algorithm>

#include "jsonpath/path.h"
#include "krm/meta.h"
#include "kubeapi/columns.h"
#include "kubeapi/core_schemas.h"
#include "kubeapi/resource_type.h"

namespace portico::kubeapi {

using json::Value;

namespace {

std::vector<std::string> texts(const Value& list) {
  std::vector<std::string> out;
  for (const Value& item : list.items()) out.emplace_back(item.as_string());
  return out;
}

// A table cell as Kubernetes builds it: the first value found, in the column's type.
Value cell_of(const std::vector<Value>& found, std::string_view type, std::string_view now) {
  if (found.empty() || found.front().is_null()) return {};
  const Value& value = found.front();
  if (type == "date") return Value(human_age(value.as_string(), now));
  if (type == "integer") return value.is_number() ? Value(value.as_int()) : Value();
  if (type == "number") return value.is_number() ? value : Value();
  if (type == "boolean") return value.is_bool() ? value : Value();
  return Value(jsonpath::text_of(value));
}

Result<Column> column_of(const Value& declared) {
  Column out;
  const std::string path(declared["jsonPath"].as_string());
  out.name = declared["name"].as_string();
  out.type = declared["type"].as_string();
  out.format = declared["format"].as_string();
  out.priority = static_cast<int>(declared["priority"].as_int());
  out.description = declared["description"].as_string();
  if (out.description.empty())
    out.description =
        fmt::format("Custom resource definition column (in JSONPath format): {}", path);
  PORTICO_TRY(const jsonpath::Path parsed, jsonpath::Path::parse(path), "jsonPath");
  out.cell = [parsed, type = out.type](const Value& object, std::string_view now) {
    return cell_of(parsed.evaluate(object, 2), type, now);
  };
  return out;
}

Result<Version> version_of(const Value& declared) {
  Version out;
  out.name = declared["name"].as_string();
  out.deprecated = declared["deprecated"].as_bool();
  out.deprecation_warning = declared["deprecationWarning"].as_string();
  out.schema = free_schema();
  if (const Value& schema = declared["schema"]["openAPIV3Schema"]; schema.is_object()) {
    PORTICO_TRY(out.schema, schema::parse(schema), "schema.openAPIV3Schema");
    out.rules = schema::Rules::compile(out.schema);
    out.type = fieldset::ObjectType(out.schema);
  }
  out.columns.push_back(name_column());
  const Value& columns = declared["additionalPrinterColumns"];
  for (const Value& each : columns.items()) {
    PORTICO_TRY(Column column, column_of(each), "additionalPrinterColumns");
    out.columns.push_back(std::move(column));
  }
  if (columns.empty()) {
    Column age = age_column();
    age.type = "date";
    out.columns.push_back(std::move(age));
  }
  const Value& subresources = declared["subresources"];
  out.has_status = subresources.contains("status");
  if (const Value* scale = subresources.find("scale"))
    out.scale = Scale{std::string((*scale)["specReplicasPath"].as_string()),
                      std::string((*scale)["statusReplicasPath"].as_string()),
                      std::string((*scale)["labelSelectorPath"].as_string())};
  for (const Value& field : declared["selectableFields"].items()) {
    std::string_view path = field["jsonPath"].as_string();
    if (path.starts_with('.')) path.remove_prefix(1);
    out.selectable_fields.emplace_back(path);
  }
  return out;
}

}  // namespace

Result<Catalog::Type> type_of_definition(const Value& definition) {
  const Value& spec = definition["spec"];
  // The names of the spec, not status.acceptedNames.
  const Value& names = spec["names"];
  auto out = std::make_shared<ResourceType>();
  out->origin = Origin::kDefinition;
  out->names = {std::string(spec["group"].as_string()), std::string(names["plural"].as_string()),
                std::string(names["kind"].as_string())};
  out->singular = names["singular"].as_string();
  if (out->singular.empty()) {
    out->singular = names["kind"].as_string();
    std::transform(out->singular.begin(), out->singular.end(), out->singular.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  out->list_kind = names["listKind"].as_string();
  if (out->list_kind.empty()) out->list_kind = fmt::format("{}List", out->names.kind);
  out->short_names = texts(names["shortNames"]);
  out->categories = texts(names["categories"]);
  out->terminating = krm::is_deleting(definition);
  out->namespaced = spec["scope"].as_string() == "Namespaced";
  out->verbs = {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"};
  for (const Value& each : spec["versions"].items()) {
    if (each["storage"].as_bool()) out->storage_version = each["name"].as_string();
    if (!each["served"].as_bool()) continue;
    PORTICO_TRY(Version version, version_of(each),
                fmt::format("spec.versions[{}]", each["name"].as_string()));
    out->versions.push_back(std::move(version));
  }
  if (out->versions.empty()) return Catalog::Type();
  std::sort(out->versions.begin(), out->versions.end(),
            [](const Version& a, const Version& b) { return version_before(a.name, b.name); });
  return Catalog::Type(std::move(out));
}

}  // namespace portico::kubeapi
