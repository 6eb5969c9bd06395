// Runs one program with this process's own terminal: an editor, a pager.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"

namespace portico::process {

/// Runs `argv` (argv[0] is looked up in PATH) with this process's standard streams, environment and
/// working folder, and waits for its end, without a limit but `stop`: a person sits in front of it.
/// SIGINT and SIGQUIT are the program's meanwhile. The exit code; 128 + the signal, where one ended
/// it. kNotFound where there is no such program; kUnavailable where `stop` came: the program is
/// told by SIGTERM, and is killed where it has not ended two seconds later. For one thread at a
/// time.
Result<int> run_on_terminal(const std::vector<std::string>& argv, const Stop& stop = {});

}  // namespace portico::process
