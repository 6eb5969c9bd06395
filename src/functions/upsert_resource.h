// upsert-resource: adds resources to the package or replaces those with the same identity.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: the resource itself, or a List of resources. It replaces every resource with its group,
/// kind, name and namespace (and path, if it has the annotation config.kubernetes.io/target-path);
/// if there is none, it is added. Sources: kpt catalog upsert-resource.
Outcome upsert_resource(krm::ResourceList list);

}  // namespace portico::functions
