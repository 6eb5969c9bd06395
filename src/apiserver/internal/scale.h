// The subresource scale: an object of a definition as autoscaling/v1 Scale. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "json/value.h"
#include "kubeapi/resource_type.h"

namespace portico::apiserver {

/// ".spec.replicas" as names.
std::vector<std::string> path_names(std::string_view path);

/// What Scale says of the object.
json::Value scale_of(const json::Value& object, const kubeapi::Scale& paths);

/// The object with the number of replicas that a Scale asks for.
json::Value with_scale(const json::Value& object, const json::Value& scale,
                       const kubeapi::Scale& paths);

}  // namespace portico::apiserver
