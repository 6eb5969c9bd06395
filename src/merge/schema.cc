#include "merge/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "krm/meta.h"
#include "merge/internal/kubernetes_lists.h"
#include "merge/merge_key.h"

namespace portico::merge {
namespace {

using internal::ListField;

std::span<const ListField> fields_of(std::string_view type) {
  const auto fields = internal::list_fields();
  const auto [first, last] = std::equal_range(
      fields.begin(), fields.end(), ListField{}, [type](const ListField& a, const ListField& b) {
        const std::string_view left = a.type == nullptr ? type : std::string_view(a.type);
        const std::string_view right = b.type == nullptr ? type : std::string_view(b.type);
        return left < right;
      });
  return {first, last};
}

ListRule rule_of(std::string_view keys) {
  if (keys.empty()) return {};
  if (keys == "*") return {ListRule::Kind::kSet, {}};
  ListRule rule{ListRule::Kind::kMap, {}};
  while (true) {
    const std::size_t comma = keys.find(',');
    rule.keys.emplace_back(keys.substr(0, comma));
    if (comma == std::string_view::npos) return rule;
    keys.remove_prefix(comma + 1);
  }
}

std::vector<std::string> strings(const json::Value& list) {
  std::vector<std::string> texts;
  for (const json::Value& item : list.items())
    if (item.is_string()) texts.emplace_back(item.as_string());
  return texts;
}

/// The rule of a JSON schema: the API server's extensions take precedence over those of strategic
/// merge patch.
ListRule json_rule(const json::Value& schema) {
  if (schema["x-portico-list-type"].as_string() == "functions")
    return {ListRule::Kind::kFunctions, {}};
  const std::string_view type = schema["x-kubernetes-list-type"].as_string();
  const std::string_view strategy = schema["x-kubernetes-patch-strategy"].as_string();
  const bool merged = strategy.find("merge") != std::string_view::npos;
  if (type == "atomic" && !merged) return {};
  if (type != "map" && type != "set" && !merged) return {};
  std::vector<std::string> keys = strings(schema["x-kubernetes-list-map-keys"]);
  const std::string_view key = schema["x-kubernetes-patch-merge-key"].as_string();
  if (keys.empty() && !key.empty()) keys.emplace_back(key);
  if (!keys.empty()) return {ListRule::Kind::kMap, std::move(keys)};
  return type == "map" ? ListRule{} : ListRule{ListRule::Kind::kSet, {}};
}

constexpr std::string_view kDefinitions = "#/definitions/";
constexpr std::string_view kObjectMeta = "meta.ObjectMeta";

}  // namespace

Schema Schema::type(std::string_view name) {
  Schema schema;
  schema.source_ = Source::kType;
  schema.type_ = name;
  return schema;
}

Schema Schema::definition(std::string_view name) {
  // "io.k8s.api.core.v1.PodSpec" is "core.PodSpec" in the table, whatever its version.
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= name.size(); at += parts.back().size() + 1)
    parts.push_back(name.substr(at, std::min(name.find('.', at), name.size()) - at));
  if (parts.size() < 3) return {};
  const auto fields = fields_of(fmt::format("{}.{}", parts[parts.size() - 3], parts.back()));
  return fields.empty() ? Schema() : type(fields.front().type);
}

Schema Schema::json(const json::Value& schema) {
  const std::string_view reference = schema["$ref"].as_string();
  if (reference.starts_with(kDefinitions)) return definition(reference.substr(kDefinitions.size()));
  if (!schema.is_object() || schema.empty()) return {};
  Schema result;
  result.source_ = Source::kJson;
  result.json_ = &schema;
  return result;
}

Schema Schema::list(ListRule rule) {
  Schema schema;
  schema.source_ = Source::kList;
  schema.rule_ = std::move(rule);
  return schema;
}

Schema Schema::field(std::string_view name) const {
  switch (source_) {
    case Source::kUnknown:
    case Source::kList:
      return {};
    case Source::kObject:
      return name == "metadata" ? type(kObjectMeta) : Schema();
    case Source::kType:
      for (const ListField& field : fields_of(type_)) {
        if (field.field != name) continue;
        if (*field.keys == '\0') return type(field.value_type);
        Schema schema = list(rule_of(field.keys));
        schema.type_ = field.value_type;
        return schema;
      }
      return type("");
    case Source::kJson:
      break;
  }
  const json::Value& properties = (*json_)["properties"];
  if (const json::Value* property = properties.find(name)) {
    // A CRD usually says no more about metadata than that it is an object.
    const bool embedded = properties.contains("apiVersion") && properties.contains("kind");
    if (name == "metadata" && embedded && !property->contains("properties"))
      return type(kObjectMeta);
    return json(*property);
  }
  return json((*json_)["additionalProperties"]);
}

Schema Schema::item() const {
  switch (source_) {
    case Source::kUnknown:
    case Source::kObject:
      return {};
    case Source::kType:
      return type("");
    case Source::kList:
      return type(type_);
    case Source::kJson:
      break;
  }
  return json((*json_)["items"]);
}

ListRule Schema::list_rule() const {
  if (source_ == Source::kList) return rule_;
  return source_ == Source::kJson ? json_rule(*json_) : ListRule{};
}

void Schemas::add_crd(const json::Value& object) {
  if (object["kind"].as_string() != "CustomResourceDefinition") return;
  const json::Value& spec = object["spec"];
  const std::string group(spec["group"].as_string()), kind(spec["names"]["kind"].as_string());
  if (kind.empty()) return;
  for (const json::Value& version : spec["versions"].items()) {
    const json::Value& schema = version["schema"]["openAPIV3Schema"];
    if (!schema.is_object()) continue;
    crds_.insert_or_assign(Kind{group, std::string(version["name"].as_string()), kind}, schema);
  }
}

void Schemas::add_crds(const krm::Package& package) {
  for (const auto& [path, file] : package.files) {
    if (!is_resource_file(path)) continue;
    if (file.text().find("CustomResourceDefinition") == std::string::npos) continue;
    const auto objects = file.objects();
    if (!objects) continue;
    for (const krm::Object& object : *objects) add_crd(object.value());
  }
}

Schema Schemas::of(const krm::ResourceId& id, std::string_view version) const {
  const auto crd = crds_.find(Kind{id.group, std::string(version), id.kind});
  if (crd != crds_.end()) return Schema::json(crd->second);
  for (const internal::KindType& known : internal::kind_types())
    if (id.kind == known.kind && id.group == known.group) return Schema::type(known.type);
  Schema object;
  object.source_ = Schema::Source::kObject;
  return object;
}

Schema Schemas::of(const krm::Object& object) const {
  if (!object.is_krm()) return {};
  const std::string_view version = object.api_version();
  return of(object.id(), version.substr(version.rfind('/') + 1));
}

std::optional<std::string> inferred_key(const json::Value& list) {
  constexpr std::string_view kName = "name";
  if (!list.is_array() || list.empty()) return {};
  for (const json::Value& item : list.items()) {
    const json::Value* name = item.find(kName);
    if (name == nullptr || name->is_null() || name->is_array() || name->is_object()) return {};
  }
  return std::string(kName);
}

}  // namespace portico::merge
