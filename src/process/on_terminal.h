// Runs one program on this process's own terminal: an editor, a pager.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"

namespace portico::process {

/// Runs `argv` (argv[0] is looked up in PATH) with this process's standard streams, environment and
/// working directory, and waits for its end. The only limit is `stop`, since the program is
/// interactive. Meanwhile, only the program receives SIGINT and SIGQUIT. Returns the exit code, or
/// 128 + the signal that ended the program. kNotFound if there is no such program, kInvalid if it
/// cannot be run. kUnavailable after `stop`: the program gets SIGTERM, and SIGKILL if it still runs
/// two seconds later. For one thread at a time.
Result<int> run_on_terminal(const std::vector<std::string>& argv, const Stop& stop = {});

}  // namespace portico::process
