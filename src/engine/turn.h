// Whose turn it is on a state folder: waiting for another process, and saying so.
#pragma once

#include <functional>

#include "engine/context.h"
#include "store/embedded.h"

namespace portico::engine {

/// Until --timeout; after a second it says on standard error for whom it waits.
store::Turn turn_of(const Context& context, std::function<bool()> give_way);

}  // namespace portico::engine
