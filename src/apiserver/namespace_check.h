// Whether objects may be created in a namespace.
#pragma once

#include <string>

#include "kubeapi/status_error.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// 404 if the namespace does not exist, 403 with the cause NamespaceTerminating if it is being
/// deleted: like kube-apiserver's NamespaceLifecycle, this prevents new objects from outliving
/// their namespace. `type` and `name` describe the object to be created. Thread-safe.
kubeapi::StatusOr<Done> check_takes_objects(const registry::Registry& registry,
                                            const std::string& ns, const kubeapi::Named& type,
                                            const std::string& name);

}  // namespace portico::apiserver
