// Which kinds of Kubernetes are namespaced.
#pragma once

#include <string_view>

namespace portico::functions {

enum class Scope { kNamespaced, kCluster, kUnknown };

/// By the list of built-in types that kustomize and kpt carry; kUnknown for every other type.
Scope scope_of(std::string_view api_version, std::string_view kind);

}  // namespace portico::functions
