// The objects that a server depends on: namespaces, roles and bindings.
#pragma once

#include "base/result.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Creates what is missing: the standard namespaces and those that contain objects, and the
/// built-in roles and bindings. Existing built-in roles and bindings are reconciled
/// (access/builtin.h).
Result<Done> ensure_objects(registry::Registry& registry);

}  // namespace portico::apiserver
