// Temporary folders of one process below the state folder.
#pragma once

#include <string>

#include "base/result.h"

namespace portico::engine {

/// Creates a folder below `state`, named after `kind` and this process. Removes those of that kind
/// whose process no longer exists.
Result<std::string> make_scratch(const std::string& state, const std::string& kind);
void remove_scratch(const std::string& folder);
/// Removes all of that kind below `state`: for the only process that uses that kind, at its start.
/// In a pod each process has the PID of its predecessor.
void remove_all_scratch(const std::string& state, const std::string& kind);

}  // namespace portico::engine
