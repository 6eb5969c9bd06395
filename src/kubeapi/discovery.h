// What a server serves, as it tells clients. Pure.
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
/// /apis/GROUP: APIGroup; null for an unknown one.
json::Value group(const Catalog& catalog, std::string_view name);
/// /api/v1, /apis/GROUP/VERSION: APIResourceList; null where nothing is served there.
json::Value resource_list(const Catalog& catalog, std::string_view group, std::string_view version);
/// /api or /apis in one answer: APIGroupDiscoveryList of apidiscovery.k8s.io/v2.
json::Value group_discovery(const Catalog& catalog, bool core);

}  // namespace portico::kubeapi
