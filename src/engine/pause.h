// Waiting before something is tried again.
#pragma once

#include "base/stop.h"

namespace portico::engine {

/// Until `when`, or until it is time to stop: then false.
bool pause_until(Stop::Time when, const Stop& stop);

}  // namespace portico::engine
