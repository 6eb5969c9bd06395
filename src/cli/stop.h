// Commands that run until somebody stops them.
#pragma once

#include <atomic>

namespace portico::cli {

/// True once SIGINT or SIGTERM has come, from the first call on. Call it before the work starts.
const std::atomic<bool>& stop_asked();

}  // namespace portico::cli
