// The state folder, which holds the store, the mirrors and created repositories.
#pragma once

#include <string>

#include "base/result.h"

namespace portico::engine {

inline constexpr const char* kStateFolder = ".portico";

/// `asked` if it is not empty, else $PORTICO_STATE, else the nearest .portico from the working
/// folder upwards. The error kNotFound suggests `portico init`.
Result<std::string> find_state(const std::string& asked);

/// Creates a state folder below `dir` (created too); a no-op if it exists already.
Result<std::string> make_state(const std::string& dir);

}  // namespace portico::engine
