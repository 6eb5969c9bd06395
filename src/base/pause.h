// Waiting before a retry.
#pragma once

#include "base/stop.h"

namespace portico {

/// Blocks until `when` and returns true, or until a stop is requested and returns false.
/// Thread-safe.
bool pause_until(Stop::Time when, const Stop& stop);

}  // namespace portico
