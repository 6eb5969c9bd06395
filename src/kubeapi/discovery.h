// The discovery documents of a server. Pure.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "kubeapi/resource_type.h"

namespace portico::kubeapi {

/// /api, for a server at `address` ("127.0.0.1:6443").
json::Value api_versions(std::string_view address);
/// /apis: APIGroupList.
json::Value group_list(const Catalog& catalog);
/// /apis/GROUP: APIGroup; null if the group is unknown.
json::Value group(const Catalog& catalog, std::string_view name);
/// /api/v1, /apis/GROUP/VERSION: APIResourceList; null if nothing is served there.
json::Value resource_list(const Catalog& catalog, std::string_view group, std::string_view version);
/// Aggregated discovery of /api or /apis: APIGroupDiscoveryList of apidiscovery.k8s.io/v2.
json::Value group_discovery(const Catalog& catalog, bool core);

}  // namespace portico::kubeapi
