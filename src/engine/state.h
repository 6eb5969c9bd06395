// The state folder: where the store, the mirrors and made repositories live.
#pragma once

#include <string>

#include "base/result.h"

namespace portico::engine {

inline constexpr const char* kStateFolder = ".portico";

/// `asked` where it is given, else $PORTICO_STATE, else the nearest .portico from the working
/// folder upwards. kNotFound says to run `portico init`.
Result<std::string> find_state(const std::string& asked);

/// Makes a state folder below `dir` (made too); fine where there is one already.
Result<std::string> make_state(const std::string& dir);

}  // namespace portico::engine
