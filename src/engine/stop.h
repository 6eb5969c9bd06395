// Commands that run until somebody stops them.
#pragma once

#include <atomic>

namespace portico::engine {

/// True once SIGINT or SIGTERM has come, from the first call on. Call it before the work starts. A
/// second signal ends the process at once.
const std::atomic<bool>& stop_asked();

/// From now on SIGQUIT asks for a dump, and does not end the process.
void listen_for_dump();
/// Whether SIGQUIT has come since the last call.
bool dump_asked();

/// Blocks until one of these signals has come that nobody has waited for yet. For one thread.
void wait_for_signal();
/// Ends a wait as a signal does: for another thread that has something to tell the one that waits.
void end_wait_for_signal();

}  // namespace portico::engine
