// The OpenAPI documents of a server's resources: version 3, one per group and version, and version
// 2, one for all. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "kubeapi/resource_type.h"

namespace portico::kubeapi {

/// The resources of one version of a group ("" is the core): their paths with parameters, and the
/// schemas of their kinds with x-kubernetes-group-version-kind.
json::Value openapi_v3(const Catalog& catalog, std::string_view group, std::string_view version);

/// All groups as Swagger 2.0, without what it cannot represent (defaults, alternatives, null).
json::Value openapi_v2(const Catalog& catalog);

/// The document of a path without resources: /api, /apis, /apis/GROUP, /version.
json::Value openapi_v3_of_path(std::string_view path);

/// The schema name of a kind: "com.example.test.v1.Widget", "io.k8s.api.core.v1.ConfigMap".
std::string openapi_name(std::string_view group, std::string_view version, std::string_view kind);

}  // namespace portico::kubeapi
