// What a person is told of a command line that is wrong.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace portico::cli {

/// One line with its end: what is wrong, the nearest right word where a word is unknown, and where
/// help is. `root` has parsed the line, and `error` is what came of it.
std::string usage_error(const CLI::App& root, const CLI::ParseError& error);

}  // namespace portico::cli
