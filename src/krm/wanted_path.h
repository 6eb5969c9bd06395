// Which files of a package are asked for.
#pragma once

#include <functional>
#include <string>

namespace portico::krm {

/// Empty: all.
using WantedPath = std::function<bool(const std::string& path)>;

}  // namespace portico::krm
