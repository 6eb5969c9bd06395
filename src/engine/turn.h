// Waiting for another process that holds a state folder, with a message.
#pragma once

#include <functional>

#include "engine/context.h"
#include "store/embedded.h"

namespace portico::engine {

/// Waits until --timeout; after a second it names the process it waits for on standard error.
store::Turn turn_of(const Context& context, std::function<bool()> give_way);

}  // namespace portico::engine
