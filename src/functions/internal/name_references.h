// Fields of built-in kinds that refer to another resource by name.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "krm/resource_list.h"

namespace portico::functions {

/// (kind, namespace, old name) -> new name; cluster-scoped kinds have namespace "".
using Renames = std::map<std::tuple<std::string, std::string, std::string>, std::string>;

/// The namespace of a resource in Renames: "" for cluster-scoped built-in kinds, else its own
/// namespace, or "default" if it has none.
std::string rename_scope(const krm::Object& object);

/// `value` of `object` with every reference to a renamed resource updated. Covers kustomize's
/// references of pods, workloads, roles, bindings, services, claims, volumes and ingresses.
json::Value with_references(const krm::Object& object, const json::Value& value,
                            const Renames& renames);

}  // namespace portico::functions
