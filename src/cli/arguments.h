// The command line: which command is asked for, with its options. CLI11 is known to the files
// behind it alone (command_line.h).
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "cli/context.h"

namespace portico::cli {

using Command = std::function<Result<Exit>(Context&)>;

struct Parsed {
  engine::Globals globals;
  Command command;
};

/// Parses the arguments. Where there is nothing to run (--help, a usage error) the text has been
/// written already and the exit code is handed back: 0 for help, 2 for usage.
std::variant<Parsed, Exit> parse_arguments(int argc, const char* const* argv);

}  // namespace portico::cli
