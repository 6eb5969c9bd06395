// Prints objects that failed, for a user to look at.
#pragma once

#include <string_view>
#include <vector>

#include "cli/context.h"
#include "json/value.h"

namespace portico::cli {

/// Prints one line for each of the first 20, with the number of retries. `now`: RFC 3339.
void print_failing(const std::vector<json::Value>& failing, std::string_view now,
                   Terminal& terminal);

}  // namespace portico::cli
