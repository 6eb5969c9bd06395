// What a person has to look at: objects that failed.
#pragma once

#include <string_view>
#include <vector>

#include "cli/context.h"
#include "json/value.h"

namespace portico::cli {

/// One line each, the first 20 of them, with how often they were tried. `now`: RFC 3339.
void print_failing(const std::vector<json::Value>& failing, std::string_view now,
                   Terminal& terminal);

}  // namespace portico::cli
