// Error messages for a wrong command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace portico::cli {

/// One line with a newline: the error, the most similar word for an unknown one, and how to get
/// help. `root` must have parsed the line; `error` is what it threw.
std::string usage_error(const CLI::App& root, const CLI::ParseError& error);

}  // namespace portico::cli
