// The words for types that are always there.
#pragma once

#include <string>
#include <vector>

namespace portico::resources {

/// What people can have meant who mistyped one: "packagevariant", "packagevariants", "pv",
/// "configmap", ...
std::vector<std::string> type_names();

}  // namespace portico::resources
