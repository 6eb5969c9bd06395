// Runs pending Command::afterwards programs when this process dies early.
#pragma once

namespace portico::process {

/// Starts a separate process that runs the Command::afterwards of every program that has not ended;
/// that process kills them and exits after 3 s at most. For a process that is about to die, after
/// kill_all(). Returns at once. Async-signal-safe.
void leave_afterwards() noexcept;

}  // namespace portico::process
