// File paths in a package.
#pragma once

#include <string>
#include <string_view>

namespace portico::package::internal {

/// "a/b/Kptfile" -> "Kptfile".
std::string_view base_name(std::string_view path);
/// "a/b/Kptfile" -> "a/b"; "" at the root.
std::string_view folder_of(std::string_view path);
/// "a", "b" -> "a/b"; either may be "".
std::string join(std::string_view folder, std::string_view name);
/// Whether resources are read from the file: *.yaml, *.yml, *.json, Kptfile.
bool is_resource_file(std::string_view path);

}  // namespace portico::package::internal
