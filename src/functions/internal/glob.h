// Matching of field paths and file paths with wildcards.
#pragma once

#include <string>
#include <string_view>

#include "krm/object.h"

namespace portico::functions {

/// "a.b[0].c": keys as they are, so that a dot in a key looks like two steps (kyaml's field path).
std::string field_path(const krm::Path& path);

/// Steps split at '.': "*" is any step, "**" any number of them, "name[*]" any item of a list.
bool matches_field_path(std::string_view pattern, std::string_view path);

/// A path of a file: '*' and '?' inside a step, "**" for any number of steps.
bool matches_file_path(std::string_view pattern, std::string_view path);

}  // namespace portico::functions
