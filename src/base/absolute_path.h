// A path from the root of the file system, from one that people wrote. For modules below the pure
// line.
#pragma once

#include <string>

#include "base/result.h"

namespace portico {

/// Without ".", ".." and a slash at the end; links in it stay. kInvalid for an empty path, and
/// kUnavailable for a relative one where the working folder is gone. Safe from any thread.
Result<std::string> absolute_path(const std::string& path);

}  // namespace portico
