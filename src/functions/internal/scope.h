// The scope of Kubernetes kinds.
#pragma once

#include <string_view>

namespace portico::functions {

enum class Scope { kNamespaced, kCluster, kUnknown };

/// From the list of built-in types in kustomize and kpt; kUnknown for every other type.
Scope scope_of(std::string_view api_version, std::string_view kind);

}  // namespace portico::functions
