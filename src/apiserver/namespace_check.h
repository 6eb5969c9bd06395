// Whether something may be made in a namespace.
#pragma once

#include <string>

#include "kubeapi/refusal.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// 404 where the namespace is not there, 403 with the cause NamespaceTerminating where it is being
/// deleted: what is made now would outlive it, as kube-apiserver's NamespaceLifecycle has it.
/// `type` and `name` are of what is to be made. Safe from any thread.
kubeapi::Reply<Done> check_takes_objects(const registry::Registry& registry, const std::string& ns,
                                         const kubeapi::Named& type, const std::string& name);

}  // namespace portico::apiserver
