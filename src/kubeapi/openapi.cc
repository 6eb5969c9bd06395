#include "kubeapi/openapi.h"

#include <algorithm>

#include "kubeapi/internal/openapi_paths.h"
#include "kubeapi/internal/openapi_schemas.h"

namespace portico::kubeapi {

using json::Value;

namespace {

// Kubernetes' built-in groups use Go package names.
struct Package {
  std::string_view group, name;
};
constexpr Package kPackages[] = {
    {"", "io.k8s.api.core"},
    {"authentication.k8s.io", "io.k8s.api.authentication"},
    {"authorization.k8s.io", "io.k8s.api.authorization"},
    {"apiextensions.k8s.io", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions"},
    {"coordination.k8s.io", "io.k8s.api.coordination"},
    {"events.k8s.io", "io.k8s.api.events"},
    {"rbac.authorization.k8s.io", "io.k8s.api.rbac"},
};

std::string reversed(std::string_view group) {
  std::string out;
  while (!group.empty()) {
    const std::size_t dot = group.rfind('.');
    if (!out.empty()) out += '.';
    out += group.substr(dot == std::string_view::npos ? 0 : dot + 1);
    group = dot == std::string_view::npos ? "" : group.substr(0, dot);
  }
  return out;
}

Value security() {
  return Value::object(
      {{"BearerToken", Value::object({{"description", "Bearer Token authentication"},
                                      {"type", "apiKey"},
                                      {"name", "authorization"},
                                      {"in", "header"}})}});
}

Value document(bool defined, Value paths, Value schemas) {
  Value components = Value::object({{"schemas", std::move(schemas)}});
  if (!defined) components = components.with("securitySchemes", security());
  return Value::object(
      {{"openapi", "3.0.0"},
       {"info", Value::object({{"title", defined ? "Kubernetes CRD Swagger" : "Kubernetes"},
                               {"version", defined ? "v0.1.0" : "1.34"}})},
       {"paths", std::move(paths)},
       {"components", std::move(components)}});
}

}  // namespace

std::string openapi_name(std::string_view group, std::string_view version, std::string_view kind) {
  const auto known = std::find_if(std::begin(kPackages), std::end(kPackages),
                                  [group](const Package& one) { return one.group == group; });
  return fmt::format("{}.{}.{}",
                     known != std::end(kPackages) ? std::string(known->name) : reversed(group),
                     version, kind);
}

Value openapi_v3(const Catalog& catalog, std::string_view group, std::string_view version) {
  Value paths = Value::object(), schemas = Value::object();
  bool defined = true;
  for (const Catalog::Type& type : catalog.resources(group)) {
    const Version* at = type->version(version);
    if (at == nullptr) continue;
    defined = defined && type->origin == Origin::kDefinition;
    paths = with_resource_paths(paths, *type, *at, OpenApi::kV3);
    schemas = with_kind_schemas(schemas, *type, *at, OpenApi::kV3);
  }
  if (paths.empty()) return {};
  const std::string root = group.empty() ? fmt::format("/api/{}/", version)
                                         : fmt::format("/apis/{}/{}/", group, version);
  if (!defined) paths = paths.with(root, plain_path(root, OpenApi::kV3));
  std::vector<GroupVersion> groups = {{"", "v1"}};
  if (!group.empty()) groups.push_back({std::string(group), std::string(version)});
  return document(defined, std::move(paths), with_meta_schemas(schemas, groups, OpenApi::kV3));
}

Value openapi_v2(const Catalog& catalog) {
  Value paths = Value::object(), schemas = Value::object();
  for (const char* path : {"/api/", "/apis/", "/version/"})
    paths = paths.with(path, plain_path(path, OpenApi::kV2));
  std::vector<GroupVersion> groups;
  for (const std::string& group : catalog.groups()) {
    for (const std::string& version : catalog.versions(group)) groups.push_back({group, version});
    for (const Catalog::Type& type : catalog.resources(group))
      for (const Version& version : type->versions) {
        paths = with_resource_paths(paths, *type, version, OpenApi::kV2);
        schemas = with_kind_schemas(schemas, *type, version, OpenApi::kV2);
      }
  }
  return Value::object(
      {{"swagger", "2.0"},
       {"info", Value::object({{"title", "Kubernetes"}, {"version", "1.34"}})},
       {"paths", std::move(paths)},
       {"definitions", with_meta_schemas(schemas, groups, OpenApi::kV2)},
       {"securityDefinitions", security()},
       {"security", Value::array({Value::object({{"BearerToken", Value::array()}})})}});
}

Value openapi_v3_of_path(std::string_view path) {
  const std::string with_slash = fmt::format("{}/", path);
  return document(false, Value::object({{with_slash, plain_path(with_slash, OpenApi::kV3)}}),
                  Value::object());
}

}  // namespace portico::kubeapi
