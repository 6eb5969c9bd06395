#include "kubeapi/discovery.h"

#include <algorithm>

#include "base/hash.h"

namespace portico::kubeapi {

using json::Value;

namespace {

Value texts(const std::vector<std::string>& list) {
  std::vector<Value> out(list.begin(), list.end());
  return Value::array(std::move(out));
}

// Kubernetes lists the verbs of custom resources in a different order.
std::vector<std::string> verbs_of(const ResourceType& type) {
  if (type.origin != Origin::kDefinition) return type.verbs;
  std::vector<std::string> out;
  for (const char* verb :
       {"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"})
    if (type.can(verb)) out.emplace_back(verb);
  return out;
}

const std::vector<std::string>& status_verbs() {
  static const std::vector<std::string> kVerbs = {"get", "patch", "update"};
  return kVerbs;
}

std::string group_version(std::string_view group, std::string_view version) {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

std::string version_hash(const ResourceType& type) {
  const std::string digest =
      sha256_hex(fmt::format("{}/{}/{}", type.names.group, type.storage_version, type.names.kind));
  std::string bytes;
  for (std::size_t i = 0; i < 16; i += 2)
    bytes += static_cast<char>(std::stoi(digest.substr(i, 2), nullptr, 16));
  return base64_encode(bytes);
}

// Kubernetes' own groups come first, in Kubernetes' priority order.
std::vector<std::string> groups_of(const Catalog& catalog) {
  static constexpr std::string_view kFirst[] = {"",
                                                "events.k8s.io",
                                                "authentication.k8s.io",
                                                "authorization.k8s.io",
                                                "rbac.authorization.k8s.io",
                                                "apiextensions.k8s.io",
                                                "coordination.k8s.io"};
  const auto place = [](const std::string& group) {
    return std::find(std::begin(kFirst), std::end(kFirst), group) - std::begin(kFirst);
  };
  std::vector<std::string> out = catalog.groups();
  std::stable_sort(out.begin(), out.end(),
                   [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  return out;
}

std::vector<Subresource> subresources_of(const ResourceType& type, const Version& version) {
  std::vector<Subresource> out = version.subresources;
  if (version.has_approval) out.push_back({"approval", "", "", type.names.kind, status_verbs()});
  if (version.has_status) out.push_back({"status", "", "", type.names.kind, status_verbs()});
  if (version.scale) out.push_back({"scale", "autoscaling", "v1", "Scale", status_verbs()});
  return out;
}

Value resource(const ResourceType& type) {
  Value out = Value::object({{"name", type.names.plural},
                             {"singularName", type.singular},
                             {"namespaced", type.namespaced},
                             {"kind", type.names.kind},
                             {"verbs", texts(verbs_of(type))}});
  if (!type.short_names.empty()) out = out.with("shortNames", texts(type.short_names));
  if (!type.categories.empty()) out = out.with("categories", texts(type.categories));
  if (!type.storage_version.empty()) out = out.with("storageVersionHash", version_hash(type));
  return out;
}

Value subresource(const ResourceType& type, const Subresource& sub) {
  Value out = Value::object({{"name", fmt::format("{}/{}", type.names.plural, sub.name)},
                             {"singularName", ""},
                             {"namespaced", type.namespaced},
                             {"kind", sub.kind},
                             {"verbs", texts(sub.verbs)}});
  if (!sub.group.empty()) out = out.with("group", sub.group);
  if (!sub.version.empty()) out = out.with("version", sub.version);
  return out;
}

Value response_kind(std::string_view group, std::string_view version, std::string_view kind) {
  return Value::object({{"group", group}, {"version", version}, {"kind", kind}});
}

// In aggregated discovery, built-in resources leave group and version of the kind empty if they are
// the resource's own; custom resources always state them.
Value discovered(const ResourceType& type, const Version& version) {
  const bool full = type.origin == Origin::kDefinition;
  const std::string_view group = full ? std::string_view(type.names.group) : "";
  const std::string_view at = full ? std::string_view(version.name) : "";
  Value out = Value::object({{"resource", type.names.plural},
                             {"responseKind", response_kind(group, at, type.names.kind)},
                             {"scope", type.namespaced ? "Namespaced" : "Cluster"},
                             {"singularResource", type.singular},
                             {"verbs", texts(verbs_of(type))}});
  if (!type.short_names.empty()) out = out.with("shortNames", texts(type.short_names));
  if (!type.categories.empty()) out = out.with("categories", texts(type.categories));
  std::vector<Value> subs;
  for (const Subresource& sub : subresources_of(type, version))
    subs.push_back(Value::object(
        {{"subresource", sub.name},
         {"responseKind",
          response_kind(sub.group.empty() ? group : std::string_view(sub.group),
                        sub.version.empty() ? at : std::string_view(sub.version), sub.kind)},
         {"verbs", texts(sub.verbs)}}));
  if (!subs.empty()) out = out.with("subresources", Value::array(std::move(subs)));
  return out;
}

Value group_value(const Catalog& catalog, std::string_view name, bool alone) {
  std::vector<Value> versions;
  for (const std::string& version : catalog.versions(name))
    versions.push_back(
        Value::object({{"groupVersion", group_version(name, version)}, {"version", version}}));
  if (versions.empty()) return {};
  Value out = Value::object({{"name", name}, {"preferredVersion", versions.front()}});
  out = out.with("versions", Value::array(std::move(versions)));
  if (alone) out = out.with("kind", "APIGroup").with("apiVersion", "v1");
  return out;
}

}  // namespace

Value api_versions(std::string_view address) {
  return Value::object(
      {{"kind", "APIVersions"},
       {"versions", Value::array({"v1"})},
       {"serverAddressByClientCIDRs",
        Value::array({Value::object({{"clientCIDR", "0.0.0.0/0"}, {"serverAddress", address}})})}});
}

Value group_list(const Catalog& catalog) {
  std::vector<Value> groups;
  for (const std::string& name : groups_of(catalog))
    if (!name.empty()) groups.push_back(group_value(catalog, name, false));
  return Value::object({{"kind", "APIGroupList"},
                        {"apiVersion", "v1"},
                        {"groups", Value::array(std::move(groups))}});
}

Value group(const Catalog& catalog, std::string_view name) {
  return group_value(catalog, name, true);
}

Value resource_list(const Catalog& catalog, std::string_view group, std::string_view version) {
  std::vector<Value> resources;
  for (const Catalog::Type& type : catalog.resources(group)) {
    const Version* at = type->version(version);
    if (at == nullptr) continue;
    resources.push_back(resource(*type));
    for (const Subresource& sub : subresources_of(*type, *at))
      resources.push_back(subresource(*type, sub));
  }
  if (resources.empty()) return {};
  Value out = Value::object({{"kind", "APIResourceList"},
                             {"groupVersion", group_version(group, version)},
                             {"resources", Value::array(std::move(resources))}});
  // Kubernetes omits it for the core group.
  return group.empty() ? out : out.with("apiVersion", "v1");
}

Value group_discovery(const Catalog& catalog, bool core) {
  std::vector<Value> items;
  for (const std::string& name : groups_of(catalog)) {
    if (name.empty() != core) continue;
    std::vector<Value> versions;
    for (const std::string& version : catalog.versions(name)) {
      std::vector<Value> resources;
      for (const Catalog::Type& type : catalog.resources(name))
        if (const Version* at = type->version(version)) resources.push_back(discovered(*type, *at));
      versions.push_back(Value::object({{"version", version},
                                        {"resources", Value::array(std::move(resources))},
                                        {"freshness", "Current"}}));
    }
    Value metadata = Value::object();
    if (!name.empty()) metadata = metadata.with("name", name);
    items.push_back(Value::object(
        {{"metadata", std::move(metadata)}, {"versions", Value::array(std::move(versions))}}));
  }
  return Value::object({{"kind", "APIGroupDiscoveryList"},
                        {"apiVersion", "apidiscovery.k8s.io/v2"},
                        {"metadata", Value::object()},
                        {"items", Value::array(std::move(items))}});
}

}  // namespace portico::kubeapi
