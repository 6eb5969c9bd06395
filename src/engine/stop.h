// How a process is told to stop: by SIGINT, SIGTERM or SIGHUP. A second signal ends it at once,
// together with the programs that it runs.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "base/fd.h"
#include "base/stop.h"
#include "engine/deadline.h"

namespace portico::engine {

/// For commands that run until stopped and then end by themselves: true once a signal has arrived
/// after the first call. Call it before the work starts.
const std::atomic<bool>& stop_asked();

/// From now on SIGQUIT requests a dump instead of ending the process.
void listen_for_dump();
/// Whether SIGQUIT has arrived since the last call.
bool dump_asked();

/// Blocks until one of these signals arrives that no earlier call has consumed. For one thread.
void wait_for_signal();
/// Wakes the waiting thread like a signal does: for another thread that has news for it.
void end_wait_for_signal();

/// While one exists, the command has work to complete or to abandon cleanly, and gets time for it
/// when it is stopped.
class ShutdownGuard {
 public:
  ShutdownGuard();
  ~ShutdownGuard();
  ShutdownGuard(const ShutdownGuard&) = delete;
  ShutdownGuard& operator=(const ShutdownGuard&) = delete;
};

/// Ends a command when a signal arrives, or when its time (--timeout) is over and it has not
/// noticed: requests a stop of `source`, ends every program that the command runs and lets none
/// start, so that the command fails soon. A command that called stop_asked() handles the first
/// signal itself and has 5 s for it. A process that still runs after a moment, or after 5 s if
/// something is ShutdownGuard or a program needs clean-up (process::Command::afterwards), exits as
/// it is and leaves the clean-up undone. One per process, for the whole command.
class Interruption {
 public:
  Interruption(StopSource source, const Deadline& deadline);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The signal that arrived; 0 if none has.
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
