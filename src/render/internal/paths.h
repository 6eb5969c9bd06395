// Paths inside a package.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::render {

/// "a/b" and "c" -> "a/b/c"; an empty folder adds nothing.
std::string join_path(std::string_view folder, std::string_view path);
/// The part before the last '/', or "".
std::string_view folder_of(std::string_view path);
std::string_view base_of(std::string_view path);

/// Whether `path` is `folder` or below it.
bool is_below(std::string_view path, std::string_view folder);

/// Resolves ".", ".." and doubled '/', like Go's path.Clean; drops a leading '/'. "" for the folder
/// itself; a path that leaves it begins with "..".
std::string clean_path(std::string_view path);

/// The order of filepath.Walk: by component, bytewise.
bool walk_before(std::string_view a, std::string_view b);

/// Whether a file holds resources: Kptfile, *.yaml, *.yml, *.json.
bool is_resource_file(std::string_view path);

}  // namespace portico::render
