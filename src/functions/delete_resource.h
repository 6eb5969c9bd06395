// delete-resource: resources that match a selector leave the package.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: a ConfigMap with data `apiVersion`, `kind`, `name`, `namespace` (all given ones must be
/// equal), or DeleteResource (fn.kpt.dev) with lists `selectors` and `exclude` of {apiVersion,
/// kind, name, namespace, labels, annotations}, which are those of a pipeline: a resource goes that
/// matches one of the first and none of the second. A selector that says nothing is refused. A
/// Kptfile never goes. A file whose last resource goes is pruned by render. Meant for variants of a
/// package that holds what the deployer may not create, as Namespaces (package variant design,
/// "KRM function pipeline"). The catalog has no such function.
Outcome delete_resource(krm::ResourceList list);

}  // namespace portico::functions
