// Folders below the state folder that one process uses for a while.
#pragma once

#include <string>

#include "base/result.h"

namespace portico::engine {

/// A new folder below `state`, named after `kind` and this process. Those of that kind that a
/// process left which is no longer there are removed.
Result<std::string> make_scratch(const std::string& state, const std::string& kind);
void remove_scratch(const std::string& folder);
/// Whatever of that kind is below `state`: by the one process that uses that, at its start. In a
/// pod each has the number of the one before.
void remove_all_scratch(const std::string& state, const std::string& kind);

}  // namespace portico::engine
