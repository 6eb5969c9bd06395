// Waiting before something is tried again.
#pragma once

#include "base/stop.h"

namespace portico {

/// Blocks until `when`, or until it is time to stop: then false. Safe from any thread.
bool pause_until(Stop::Time when, const Stop& stop);

}  // namespace portico
