// Paths inside a package.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::render {

/// "a/b" and "c" -> "a/b/c"; an empty folder adds nothing.
std::string join_path(std::string_view folder, std::string_view path);
/// All before the last '/', or "".
std::string_view folder_of(std::string_view path);
std::string_view base_of(std::string_view path);

/// True where `path` is `folder` or below it.
bool is_below(std::string_view path, std::string_view folder);

/// Resolves ".", ".." and doubled '/', as Go's path.Clean; a leading '/' is dropped. "" for the
/// folder itself; a path that leaves it begins with "..".
std::string clean_path(std::string_view path);

/// Order of filepath.Walk: by component, bytes.
bool walk_before(std::string_view a, std::string_view b);

/// A file that holds resources: Kptfile, *.yaml, *.yml, *.json.
bool is_resource_file(std::string_view path);

}  // namespace portico::render
