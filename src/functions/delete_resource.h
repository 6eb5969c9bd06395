// delete-resource: removes resources that match a selector from the package.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: a ConfigMap with data `apiVersion`, `kind`, `name`, `namespace` (all given ones must be
/// equal), or DeleteResource (fn.kpt.dev) with lists `selectors` and `exclude` of {apiVersion,
/// kind, name, namespace, labels, annotations}, the selectors of a pipeline: a resource is removed
/// if it matches one of the first and none of the second. An empty selector is refused. A Kptfile
/// is never removed. Render prunes a file after its last resource is removed. Meant for variants of
/// a package that holds resources the deployer may not create, such as Namespaces (package variant
/// design, "KRM function pipeline"). The catalog has no such function.
Outcome delete_resource(krm::ResourceList list);

}  // namespace portico::functions
