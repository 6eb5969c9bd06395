// That there is no such object.
#pragma once

#include "base/result.h"
#include "krm/meta.h"

namespace portico::registry {

/// kNotFound of an object that is asked for or written, as people read it: `PackageVariantSet "x"
/// not found in namespace "y"`.
Error no_object(const krm::ObjectKey& key);

}  // namespace portico::registry
