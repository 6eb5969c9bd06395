// The annotation config.kubernetes.io/depends-on: resources that must be applied first.
#pragma once

#include <functional>
#include <string>

#include "json/value.h"

namespace portico::functions {

/// One entry: "group/namespaces/NS/kind/name", or "group/kind/name" for a cluster-scoped resource.
struct Dependency {
  std::string group, ns, kind, name;
};

/// Passes each entry of the annotation in `value` (entries are separated by commas) to `change`,
/// which may alter namespace and name, and returns the result. Anything that is not an entry stays.
/// Source: cli-utils.
json::Value with_dependencies(const json::Value& value,
                              const std::function<void(Dependency&)>& change);

}  // namespace portico::functions
