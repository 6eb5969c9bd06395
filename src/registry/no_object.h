// The error for an object that does not exist.
#pragma once

#include "base/result.h"
#include "krm/meta.h"

namespace portico::registry {

/// kNotFound for an object that was read or written, in readable form: `PackageVariantSet "x" not
/// found in namespace "y"`.
Error no_object(const krm::ObjectKey& key);

}  // namespace portico::registry
