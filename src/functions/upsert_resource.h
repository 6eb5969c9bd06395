// upsert-resource: puts resources into the package, in place of those of the same identity.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: the resource itself, or a List of some. It takes the place of every resource with its
/// group, kind, name and namespace (and path, where it carries annotation
/// config.kubernetes.io/target-path), else it is added. Sources: kpt catalog upsert-resource.
Outcome upsert_resource(krm::ResourceList list);

}  // namespace portico::functions
