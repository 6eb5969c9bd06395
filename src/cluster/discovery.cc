#include "cluster/discovery.h"

#include <algorithm>

#include "http/escape.h"

namespace portico::cluster {

using json::Value;

namespace {

std::string text(const Value& value) { return std::string(value.as_string()); }

std::vector<std::string> texts(const Value& list) {
  std::vector<std::string> out;
  for (const Value& each : list.items()) out.push_back(text(each));
  return out;
}

std::set<std::string> text_set(const Value& list) {
  std::set<std::string> out;
  for (const Value& each : list.items()) out.insert(text(each));
  return out;
}

}  // namespace

std::string Resource::api_version() const {
  return kind.group.empty() ? version : kind.group + "/" + version;
}

std::string Resource::path(std::string_view ns, std::string_view name,
                           std::string_view subresource) const {
  std::string out = kind.group.empty() ? "/api/" + version : "/apis/" + kind.group + "/" + version;
  if (namespaced && !ns.empty()) out += "/namespaces/" + http::percent_encode(ns);
  out += "/" + plural;
  if (!name.empty()) out += "/" + http::percent_encode(name);
  if (!subresource.empty()) out += fmt::format("/{}", subresource);
  return out;
}

void Discovery::add(Resource resource) {
  std::vector<Resource>& versions = kinds_[resource.kind];
  // Several resources may have the same kind (scale, reviews): the first one is the kind's main
  // resource.
  const bool known = std::any_of(versions.begin(), versions.end(), [&](const Resource& each) {
    return each.version == resource.version;
  });
  if (!known) versions.push_back(std::move(resource));
}

Result<Done> Discovery::add_groups(const Value& document) {
  if (document["kind"].as_string() != "APIGroupDiscoveryList")
    return invalid("\"{}\" is not an APIGroupDiscoveryList", document["kind"].as_string());
  for (const Value& group : document["items"].items()) {
    for (const Value& version : group["versions"].items()) {
      for (const Value& each : version["resources"].items()) {
        const Value& kind = each["responseKind"];
        Resource one;
        one.kind = {text(kind["group"]), text(kind["kind"])};
        if (one.kind.group.empty()) one.kind.group = text(group["metadata"]["name"]);
        one.version = text(version["version"]);
        one.plural = text(each["resource"]);
        one.singular = text(each["singularResource"]);
        one.short_names = texts(each["shortNames"]);
        one.namespaced = each["scope"].as_string() == "Namespaced";
        one.verbs = text_set(each["verbs"]);
        for (const Value& sub : each["subresources"].items())
          one.subresources.insert(text(sub["subresource"]));
        if (!one.plural.empty() && !one.kind.kind.empty()) add(std::move(one));
      }
    }
  }
  return Done{};
}

Result<Done> Discovery::add_resources(const Value& document) {
  if (document["kind"].as_string() != "APIResourceList")
    return invalid("\"{}\" is not an APIResourceList", document["kind"].as_string());
  const krm::GroupVersion at = krm::group_version(document["groupVersion"].as_string());
  std::map<std::string, std::set<std::string>> subresources;
  for (const Value& each : document["resources"].items()) {
    const std::string name = text(each["name"]);
    if (const std::size_t slash = name.find('/'); slash != std::string::npos)
      subresources[name.substr(0, slash)].insert(name.substr(slash + 1));
  }
  for (const Value& each : document["resources"].items()) {
    const std::string name = text(each["name"]);
    if (name.empty() || name.find('/') != std::string::npos) continue;
    Resource one;
    one.kind = {at.group, text(each["kind"])};
    one.version = at.version;
    one.plural = name;
    one.singular = text(each["singularName"]);
    one.short_names = texts(each["shortNames"]);
    one.namespaced = each["namespaced"].as_bool();
    one.verbs = text_set(each["verbs"]);
    one.subresources = subresources[name];
    add(std::move(one));
  }
  return Done{};
}

const Resource* Discovery::find(const krm::GroupKind& kind, std::string_view version) const {
  const auto found = kinds_.find(kind);
  if (found == kinds_.end()) return nullptr;
  for (const Resource& each : found->second)
    if (each.version == version) return &each;
  return &found->second.front();
}

std::vector<Resource> Discovery::all() const {
  std::vector<Resource> out;
  out.reserve(kinds_.size());
  for (const auto& [kind, versions] : kinds_) out.push_back(versions.front());
  return out;
}

}  // namespace portico::cluster
