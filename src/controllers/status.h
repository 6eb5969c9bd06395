// Writing an object's status.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::controllers {

/// Stores in the status that `object` cannot be processed because it, or an object that it depends
/// on, does not decode (variants/undecoded.h). Secrets are removed from the message. The object
/// then waits for an event.
Result<Done> write_undecoded(registry::Registry& registry, const json::Value& object, Error why,
                             TimePoint now);

/// Stores `status` if it differs from the status of `object`. The object may have changed
/// concurrently; its stored spec is not touched. An object that is gone is not an error.
Result<Done> write_status(registry::Registry& registry, const json::Value& object,
                          const json::Value& status);

}  // namespace portico::controllers
