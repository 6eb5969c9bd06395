// How a process is told to stop: by SIGINT, SIGTERM and SIGHUP. The second of them ends it at once,
// and the programs that run for it.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "base/fd.h"
#include "base/stop.h"
#include "engine/deadline.h"

namespace portico::engine {

/// For commands that run until somebody stops them, and end by themselves then: true once a signal
/// has come, from the first call on. Call it before the work starts.
const std::atomic<bool>& stop_asked();

/// From now on SIGQUIT asks for a dump, and does not end the process.
void listen_for_dump();
/// Whether SIGQUIT has come since the last call.
bool dump_asked();

/// Blocks until one of these signals has come that nobody has waited for yet. For one thread.
void wait_for_signal();
/// Ends a wait as a signal does: for another thread that has something to tell the one that waits.
void end_wait_for_signal();

/// While one of these lives a command has something to bring to an end or to leave out, so that it
/// gets time for it when it is stopped.
class Unfinished {
 public:
  Unfinished();
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
};

/// Ends a command when a signal comes, or its time (--timeout) is over and it has not noticed:
/// `source` is asked to stop, every program that runs for the command ends, and none is started any
/// more, so that the command fails soon. Of a command that called stop_asked() the first is left to
/// it, and it has 5 s for it. A process that is still there after a moment, or after 5 s where
/// something is Unfinished or a program is cleaned up after (process::Command::afterwards), ends as
/// it is, and leaves the clean-up behind. One for each process, from begin to end of its command.
class Interruption {
 public:
  Interruption(StopSource source, const Deadline& deadline);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The signal that came; 0 while none has.
  int signal() const;

 private:
  void run();
  bool waits_until(std::chrono::steady_clock::time_point then) const;

  StopSource source_;
  Deadline deadline_;
  Fd over_;
  std::thread thread_;
};

}  // namespace portico::engine
