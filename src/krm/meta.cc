#include "krm/meta.h"

#include <algorithm>
#include <charconv>

namespace portico::krm {
namespace {

const json::Value& metadata(const json::Value& object) { return object["metadata"]; }

json::Value with_metadata(const json::Value& object, std::string_view field, json::Value list) {
  if (list.empty()) return object.without_at({"metadata", field});
  return object.with_at({"metadata", field}, std::move(list));
}

}  // namespace

std::string ObjectKey::text() const {
  std::string out = type.kind;
  if (!type.group.empty()) out += "." + type.group;
  out += " ";
  if (!ns.empty()) out += ns + "/";
  return out + name;
}

std::string GroupVersion::text() const { return group.empty() ? version : group + "/" + version; }

GroupVersion group_version(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {"", std::string(api_version)};
  return {std::string(api_version.substr(0, slash)), std::string(api_version.substr(slash + 1))};
}

GroupKind group_kind(const json::Value& object) {
  return {group_version(object["apiVersion"].as_string()).group,
          std::string(object["kind"].as_string())};
}

ObjectKey object_key(const json::Value& object) {
  return {group_kind(object), std::string(namespace_of(object)), std::string(name_of(object))};
}

std::string_view name_of(const json::Value& object) { return metadata(object)["name"].as_string(); }

std::string_view namespace_of(const json::Value& object) {
  return metadata(object)["namespace"].as_string();
}

std::string_view uid_of(const json::Value& object) { return metadata(object)["uid"].as_string(); }

std::uint64_t resource_version_of(const json::Value& object) {
  const std::string_view text = metadata(object)["resourceVersion"].as_string();
  std::uint64_t version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  return error == std::errc() && end == text.data() + text.size() ? version : 0;
}

std::int64_t generation_of(const json::Value& object) {
  return metadata(object)["generation"].as_int();
}

bool is_deleting(const json::Value& object) {
  return !metadata(object)["deletionTimestamp"].as_string().empty();
}

std::string_view label_of(const json::Value& object, std::string_view key) {
  return metadata(object)["labels"][key].as_string();
}

std::string_view annotation_of(const json::Value& object, std::string_view key) {
  return metadata(object)["annotations"][key].as_string();
}

std::map<std::string, std::string> string_map(const json::Value& map) {
  std::map<std::string, std::string> out;
  for (const json::Member& member : map.members())
    if (member.value.is_string()) out.emplace(member.name(), member.value.as_string());
  return out;
}

json::Value to_value(const std::map<std::string, std::string>& map) {
  std::vector<json::Member> members;
  members.reserve(map.size());
  for (const auto& [key, value] : map) members.push_back({json::Value(key), json::Value(value)});
  return json::Value::object(std::move(members));
}

std::vector<std::string> finalizers_of(const json::Value& object) {
  std::vector<std::string> out;
  for (const json::Value& item : metadata(object)["finalizers"].items())
    if (item.is_string()) out.emplace_back(item.as_string());
  return out;
}

json::Value with_finalizers(const json::Value& object, const std::vector<std::string>& finalizers) {
  return with_metadata(object, "finalizers",
                       json::Value::array({finalizers.begin(), finalizers.end()}));
}

std::vector<OwnerReference> owners_of(const json::Value& object) {
  std::vector<OwnerReference> out;
  for (const json::Value& item : metadata(object)["ownerReferences"].items()) {
    out.push_back({std::string(item["apiVersion"].as_string()),
                   std::string(item["kind"].as_string()), std::string(item["name"].as_string()),
                   std::string(item["uid"].as_string()), item["controller"].as_bool(),
                   item["blockOwnerDeletion"].as_bool()});
  }
  return out;
}

json::Value with_owners(const json::Value& object, const std::vector<OwnerReference>& owners) {
  std::vector<json::Value> items;
  items.reserve(owners.size());
  for (const OwnerReference& owner : owners) {
    std::vector<json::Member> members = {{"apiVersion", owner.api_version},
                                         {"kind", owner.kind},
                                         {"name", owner.name},
                                         {"uid", owner.uid}};
    if (owner.controller) members.push_back({"controller", true});
    if (owner.block_owner_deletion) members.push_back({"blockOwnerDeletion", true});
    items.push_back(json::Value::object(std::move(members)));
  }
  return with_metadata(object, "ownerReferences", json::Value::array(std::move(items)));
}

}  // namespace portico::krm
