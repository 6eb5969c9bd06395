// The list of programs still to be run for commands that have not ended, for when this process
// dies.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "process/process.h"

namespace portico::process {

/// Time limit of a Command::afterwards.
inline constexpr std::chrono::seconds kAfterwards{3};

/// A null-terminated array for execve(). `texts` must outlive it.
std::vector<char*> pointers(const std::vector<std::string>& texts);

/// Registers a command's `afterwards` program for its lifetime; the command must outlive it.
/// Thread-safe.
class PendingCleanup {
 public:
  /// Registers nothing if the command has none, the program is not found, or too many are
  /// registered.
  explicit PendingCleanup(const Command& command);
  PendingCleanup(const PendingCleanup&) = delete;
  PendingCleanup& operator=(const PendingCleanup&) = delete;
  ~PendingCleanup();

  /// The arguments of execve().
  struct Program {
    std::string file;
    std::vector<char*> argv, environment;
  };

 private:
  Program program_;
  std::size_t place_;
};

}  // namespace portico::process
