// Runs one program with a text on its standard input, within limits: the one way that programs are
// started.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"

namespace portico::process {

struct Limits {
  std::chrono::milliseconds time = std::chrono::minutes(5);  // as kpt
  std::size_t output_bytes = 256u << 20;                     // on standard output
  std::size_t stderr_bytes = 1u << 20;                       // more is read and thrown away
  std::uint64_t memory_bytes = 4ull << 30;  // of all it starts together, and of each; 0: no limit
  std::uint64_t file_bytes = 1ull << 30;    // of a file that it writes; 0: no limit
  std::chrono::milliseconds silence{0};     // without a byte of output; 0: no limit
  bool cut_output = false;                  // output beyond output_bytes is dropped, no limit
  bool cgroup = false;  // in a cgroup of its own, where this process may make one
  int processes = 0;    // of all it starts, at one time, by that cgroup; 0: no limit
  Stop stopped = {};    // ends the program
};

struct Command {
  std::vector<std::string> argv;         // argv[0] is looked up in PATH
  std::vector<std::string> environment;  // NAME=value; all that the program gets
  std::string input;
  std::vector<int> open = {};  // descriptors that the program gets besides 0, 1 and 2, as they are
  /// A program that is run, for 3 s at most, where this one was not let end by itself: what it
  /// asked a server for goes with it. Also where everything is being stopped.
  std::vector<std::string> afterwards = {};
};

/// What ended it.
enum class End { kItself, kTime, kSilence, kOutput, kMemory, kStopped };

struct Finished {
  int exit_code = 0;  // 128 + the signal, where one ended it
  std::string output, stderr_text;
  End end = End::kItself;
};

/// Starts the program in a process group of its own and waits for its end, or for a limit to be
/// reached; then all that is left of the group is killed, and its output is waited for to close, a
/// second at most. What it started and what left the group holds nothing up: a second after the
/// program's end its output is over.
/// In a cgroup of its own (version 2, internal/cgroup.h) the kernel holds the limits, and what left
/// the group is killed, too. Elsewhere memory is what the program and its descendants have
/// resident, looked at ten times a second, and each has that much address space at most.
/// kNotFound where there is no such program, kInvalid where it cannot be run, kUnavailable where
/// the system has no process for it. A program that does not read its input may. Safe from any
/// thread.
Result<Finished> run(const Command& command, const Limits& limits);

/// The same for programs of others: kInvalid where a limit is reached, kUnavailable where it was
/// stopped.
Result<Finished> run_to_end(const Command& command, const Limits& limits);

/// Ends what run() runs now, in any thread, and lets nothing more start: all of it ends as
/// kStopped. For a process that is about to end. Safe from any thread, not from a signal handler.
void stop_all();
/// Kills what run() runs now, with the group of each, and waits for nothing: for a process that is
/// about to die, whose death alone would end the first of each group only. Safe from a signal
/// handler.
void kill_all() noexcept;
/// Whether a Command::afterwards runs: whoever ends the process gives it its time.
bool ends_something();

/// This process's environment as Command wants it, without what is for this program alone: the key
/// of stored Secrets.
std::vector<std::string> own_environment();

/// The file of a program as PATH has it; "" where it is not found.
std::string find_program(const std::string& name);

}  // namespace portico::process
