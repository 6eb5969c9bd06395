// The version of this Portico.
#pragma once

#include <string_view>

namespace portico::engine {

/// "1.2.3": the version of the build.
std::string_view version();

}  // namespace portico::engine
