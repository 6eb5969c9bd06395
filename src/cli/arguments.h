// Parses the command line into a command with its options. Only the files behind command_line.h use
// CLI11.
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

/// Parses the arguments. If there is nothing to run (--help, a usage error), the text has already
/// been written and the exit code is returned: 0 for help, 2 for usage.
std::variant<Parsed, Exit> parse_arguments(int argc, const char* const* argv);

}  // namespace portico::cli
