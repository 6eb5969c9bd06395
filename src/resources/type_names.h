// The names of built-in types.
#pragma once

#include <string>
#include <vector>

namespace portico::resources {

/// Candidates for correcting a mistyped name: "packagevariant", "packagevariants", "pv",
/// "configmap", ...
std::vector<std::string> type_names();

}  // namespace portico::resources
