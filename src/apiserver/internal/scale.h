// The scale subresource: a custom resource as autoscaling/v1 Scale. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "json/value.h"
#include "kubeapi/resource_type.h"

namespace portico::apiserver {

/// Splits ".spec.replicas" into field names.
std::vector<std::string> path_names(std::string_view path);

/// The Scale of the object.
json::Value scale_of(const json::Value& object, const kubeapi::Scale& paths);

/// The object with the number of replicas that the Scale requests.
json::Value with_scale(const json::Value& object, const json::Value& scale,
                       const kubeapi::Scale& paths);

}  // namespace portico::apiserver
