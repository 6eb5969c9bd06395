// What a server publishes of its resources as OpenAPI: documents of version 3, one for each group
// and version, and one of version 2 for all. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "kubeapi/resource_type.h"

namespace portico::kubeapi {

/// The resources of one version of a group ("" is the core): their paths with the parameters that
/// they take, and the schemas of their kinds with x-kubernetes-group-version-kind.
json::Value openapi_v3(const Catalog& catalog, std::string_view group, std::string_view version);

/// The same of all groups, in the form of Swagger 2.0: without what it cannot say (defaults,
/// alternatives, null).
json::Value openapi_v2(const Catalog& catalog);

/// A document about a path that has no resources: /api, /apis, /apis/GROUP, /version.
json::Value openapi_v3_of_path(std::string_view path);

/// The name of a kind in documents: "com.example.test.v1.Widget", "io.k8s.api.core.v1.ConfigMap".
std::string openapi_name(std::string_view group, std::string_view version, std::string_view kind);

}  // namespace portico::kubeapi
