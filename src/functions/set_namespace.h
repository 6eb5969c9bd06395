// set-namespace: sets the namespace of namespaced resources and updates references to them.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: a ConfigMap with data `namespace` (and `namespaceMatcher`), the package context
/// ConfigMap `kptfile.kpt.dev` with data `name`, or SetNamespace (fn.kpt.dev/v1alpha1). Changes
/// metadata.namespace, names of Namespaces, service references of CustomResourceDefinitions and
/// APIServices, subjects of ClusterRoleBindings and depends-on annotations. Local configuration is
/// left alone; a custom resource without metadata.namespace is treated as cluster-scoped. An
/// invalid config and more than one origin namespace are failures (exit code 1), as in the
/// catalog's image `latest`. Sources: kpt catalog set-namespace.
Outcome set_namespace(krm::ResourceList list);

/// The behavior up to v0.4.1: no matcher and no origins; subjects of RoleBindings change too; two
/// resources with the same identity are an error result (exit code 0); a single summary result.
Outcome set_namespace_v0_4_1(krm::ResourceList list);

}  // namespace portico::functions
