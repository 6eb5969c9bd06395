// Runs the git program.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"

namespace portico::git {

struct Outcome {
  int status = 0;  // exit code; 128 + signal if killed
  std::string out, err;
};

/// Runs `git <arguments>` in `folder` without a terminal, with `environment` added to that of this
/// process, and waits. git and its children are killed after `patience`, after `silence` without a
/// byte of output (0: no limit), or on `stopped`: kUnavailable. Output beyond 16 MiB is dropped.
Result<Outcome> run_git(const std::string& folder, const std::vector<std::string>& arguments,
                        const std::map<std::string, std::string>& environment,
                        std::chrono::seconds patience, const Stop& stopped = {},
                        std::chrono::seconds silence = std::chrono::seconds(0));

}  // namespace portico::git
