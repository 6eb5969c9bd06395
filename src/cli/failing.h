// What a person has to look at: objects that failed.
#pragma once

#include <vector>

#include "cli/terminal.h"
#include "json/value.h"

namespace portico::cli {

/// One line each, the first 20 of them.
void print_failing(const std::vector<json::Value>& failing, Terminal& terminal);

}  // namespace portico::cli
