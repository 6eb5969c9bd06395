// Makes an absolute path from one that a user wrote. For modules below the pure line.
#pragma once

#include <string>

#include "base/result.h"

namespace portico {

/// Removes ".", ".." and trailing slashes, but does not resolve symbolic links. Returns kInvalid
/// for an empty path, and kUnavailable for a relative path when the working directory no longer
/// exists. Thread-safe.
Result<std::string> absolute_path(const std::string& path);

}  // namespace portico
