// Paths of resources as OpenAPI documents have them. Pure.
#pragma once

#include <string_view>

#include "json/value.h"
#include "kubeapi/internal/openapi_schemas.h"
#include "kubeapi/resource_type.h"

namespace portico::kubeapi {

/// `paths` with those of a resource in a version: collections, objects, subresources.
json::Value with_resource_paths(const json::Value& paths, const ResourceType& type,
                                const Version& version, OpenApi form);

/// One path that is read and has no schema: of discovery.
json::Value plain_path(std::string_view path, OpenApi form);

}  // namespace portico::kubeapi
