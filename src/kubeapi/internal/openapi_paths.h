// The paths of resources in OpenAPI documents. Pure.
#pragma once

#include <string_view>

#include "json/value.h"
#include "kubeapi/internal/openapi_schemas.h"
#include "kubeapi/resource_type.h"

namespace portico::kubeapi {

/// `paths` with those of one version of a resource: collections, objects, subresources.
json::Value with_resource_paths(const json::Value& paths, const ResourceType& type,
                                const Version& version, OpenApi form);

/// A read-only discovery path without a schema.
json::Value plain_path(std::string_view path, OpenApi form);

}  // namespace portico::kubeapi
