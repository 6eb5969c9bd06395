// Runs one program with a text as standard input, within limits. All programs but interactive ones
// are started here.
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
  std::size_t stderr_bytes = 1u << 20;                       // more is read and discarded
  std::uint64_t memory_bytes = 4ull << 30;  // of the process tree, and of each process; 0: no limit
  std::uint64_t file_bytes = 1ull << 30;    // of a file that it writes; 0: no limit
  std::chrono::milliseconds silence{0};     // without a byte of output; 0: no limit
  bool cut_output = false;                  // drop output beyond output_bytes, and continue
  bool cgroup = false;                      // use a separate cgroup if this process may create one
  int processes = 0;  // of the process tree, at one time; needs the cgroup; 0: no limit
  Stop stopped = {};  // ends the program
};

struct Command {
  std::vector<std::string> argv;         // argv[0] is looked up in PATH
  std::vector<std::string> environment;  // NAME=value; the complete environment of the program
  std::string input;
  std::vector<int> open = {};  // inherited descriptors besides 0, 1 and 2; same numbers
  /// A program that runs, for 3 s at most, if this one did not end by itself: it cancels what this
  /// one requested from a server. It runs even when everything is being stopped.
  std::vector<std::string> afterwards = {};
};

/// What ended the program.
enum class End { kItself, kTime, kSilence, kOutput, kMemory, kStopped };

struct Finished {
  int exit_code = 0;  // 128 + the signal if a signal ended it
  std::string output, stderr_text;
  End end = End::kItself;
};

/// Starts the program in its own process group and waits until it ends or reaches a limit. Then it
/// kills the rest of the group and waits for the output to close, for a second at most. Descendants
/// that left the group cannot delay the result: reading stops a second after the program has ended.
/// With a separate cgroup (version 2, internal/cgroup.h) the kernel enforces the memory and process
/// limits, and processes that left the group are killed too. Without one, the resident memory of
/// the program and its descendants is sampled ten times a second, and each process's address space
/// is limited.
/// The program need not read its input. Returns kUnavailable if the program does not exist or
/// cannot be run (Remedy::kOperator), or if the system lacks a resource for it. Thread-safe.
Result<Finished> run(const Command& command, const Limits& limits);

/// Like run(), but only returns programs that ended by themselves. kInvalid at the memory or output
/// limit, kUnavailable with kRefused at the time or silence limit, kUnavailable if stopped.
Result<Finished> run_to_end(const Command& command, const Limits& limits);

/// Ends every program of run(), in any thread, and prevents further starts; they all end as
/// kStopped. For a process that is about to end. Thread-safe, not async-signal-safe.
void stop_all();
/// Kills every program of run() with its process group, without waiting. For a process that is
/// about to die: its death alone would end only the leader of each group. Async-signal-safe.
void kill_all() noexcept;
/// Whether a Command::afterwards is running; wait for it before ending the process.
bool ends_something();

/// This process's environment in the form of Command::environment, without the key of stored
/// Secrets, which is for this process only.
std::vector<std::string> own_environment();

/// The path of a program found via PATH; "" if there is none.
std::string find_program(const std::string& name);

}  // namespace portico::process
