// Wildcard matching of field paths and file paths.
#pragma once

#include <string>
#include <string_view>

#include "krm/object.h"

namespace portico::functions {

/// "a.b[0].c": keys are not escaped, so a dot in a key looks like two steps (kyaml's field path).
std::string field_path(const krm::Path& path);

/// Steps are split at '.': "*" is any step, "**" any number of steps, "name[*]" any item of a list.
bool matches_field_path(std::string_view pattern, std::string_view path);

/// A file path: '*' and '?' match within a step, "**" any number of steps.
bool matches_file_path(std::string_view pattern, std::string_view path);

}  // namespace portico::functions
