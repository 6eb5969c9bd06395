// The annotation config.kubernetes.io/depends-on: resources that have to be applied first.
#pragma once

#include <functional>
#include <string>

#include "json/value.h"

namespace portico::functions {

/// One entry: "group/namespaces/NS/kind/name", or "group/kind/name" for a cluster-scoped resource.
struct Dependency {
  std::string group, ns, kind, name;
};

/// `value` with each entry of its annotation (they are separated by commas) given to `change`,
/// which may alter namespace and name. What is no entry stays as it is. Source: cli-utils.
json::Value with_dependencies(const json::Value& value,
                              const std::function<void(Dependency&)>& change);

}  // namespace portico::functions
