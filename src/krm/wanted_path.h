// A filter for the files of a package.
#pragma once

#include <functional>
#include <string>

namespace portico::krm {

/// An empty function selects all files.
using WantedPath = std::function<bool(const std::string& path)>;

}  // namespace portico::krm
