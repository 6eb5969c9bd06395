// Writing an object's status.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::controllers {

/// Stores that `object` cannot be worked on because it, or something that it rests on, does not
/// decode (variants/undecoded.h), without secrets. It waits for an event then.
Result<Done> write_undecoded(registry::Registry& registry, const json::Value& object, Error why,
                             TimePoint now);

/// Stores `status` of `object` where it differs from what `object` has; the object may have been
/// changed by others meanwhile, whose spec is not touched. One that is gone is no error.
Result<Done> write_status(registry::Registry& registry, const json::Value& object,
                          const json::Value& status);

}  // namespace portico::controllers
