// The objects that a server counts on: namespaces, roles and bindings.
#pragma once

#include "base/result.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Makes what is missing: the namespaces that are always there and those in which there is
/// something, and the built-in roles and bindings, which are reconciled where they are there
/// (access/builtin.h).
Result<Done> ensure_objects(registry::Registry& registry);

}  // namespace portico::apiserver
