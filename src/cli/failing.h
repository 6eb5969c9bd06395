// What a person has to look at: objects that failed, and those that a set answers for.
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/terminal.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::cli {

/// `objects` as they are now, and the variants of the sets among them: those of our kinds that are
/// failing.
Result<std::vector<json::Value>> failing_of(const registry::Registry& registry,
                                            const std::vector<json::Value>& objects);

/// One line each, the first 20 of them.
void print_failing(const std::vector<json::Value>& failing, Terminal& terminal);

}  // namespace portico::cli
