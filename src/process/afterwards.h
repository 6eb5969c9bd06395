// What is still owed to programs that were stopped, where this process dies before it is done.
#pragma once

namespace portico::process {

/// Has all Command::afterwards of what has not ended run by a process of its own, which is gone
/// after 3 s at most, with them: for a process that dies now, after kill_all(). Waits for nothing.
/// Safe from a signal handler.
void leave_afterwards() noexcept;

}  // namespace portico::process
