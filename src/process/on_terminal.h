// Runs one program with this process's own terminal: an editor, a pager.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace portico::process {

/// Runs `argv` (argv[0] is looked up in PATH) with this process's standard streams, environment and
/// working folder, and waits for its end without a limit: a person sits in front of it. SIGINT and
/// SIGQUIT are the program's meanwhile. The exit code; 128 + the signal, where one ended it.
/// kNotFound where there is no such program. For one thread at a time.
Result<int> run_on_terminal(const std::vector<std::string>& argv);

}  // namespace portico::process
