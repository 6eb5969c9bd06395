// What is still to be run for programs that have not ended, where whoever waits for them dies.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "process/process.h"

namespace portico::process {

/// How long a Command::afterwards has.
inline constexpr std::chrono::seconds kAfterwards{3};

/// As execve() takes them; the texts must outlive it.
std::vector<char*> pointers(const std::vector<std::string>& texts);

/// Notes the Command::afterwards of a command, which must outlive it. Safe from any thread.
class Owed {
 public:
  /// Nothing is noted where there is none, it is nowhere to be found, or too many are noted.
  explicit Owed(const Command& command);
  Owed(const Owed&) = delete;
  Owed& operator=(const Owed&) = delete;
  ~Owed();

  /// As execve() takes it.
  struct Program {
    std::string file;
    std::vector<char*> argv, environment;
  };

 private:
  Program program_;
  std::size_t place_;
};

}  // namespace portico::process
