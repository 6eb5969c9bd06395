// Schemas in OpenAPI documents. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "kubeapi/resource_type.h"

namespace portico::kubeapi {

enum class OpenApi { kV2, kV3 };

/// "#/definitions/NAME", "#/components/schemas/NAME".
std::string schema_reference(OpenApi form, std::string_view name);

/// Kubernetes' name of a metadata type: "io.k8s.apimachinery.pkg.apis.meta.v1.Status".
std::string meta_name(std::string_view type);

struct GroupVersion {
  std::string group, version;
};

/// `schemas` with the types that all kinds share: ObjectMeta, ListMeta, Status, DeleteOptions and
/// their parts. DeleteOptions is listed as a kind of each of `groups`.
json::Value with_meta_schemas(const json::Value& schemas, const std::vector<GroupVersion>& groups,
                              OpenApi form);

/// `schemas` with one version of a kind, and its list type.
json::Value with_kind_schemas(const json::Value& schemas, const ResourceType& type,
                              const Version& version, OpenApi form);

}  // namespace portico::kubeapi
