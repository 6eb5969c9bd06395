// Converts complete packages to JSON and back, for programs that exchange packages.
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "krm/package.h"

namespace portico::krm {

/// {PATH: {"text": "..."}}, with "base64" instead of "text" for files that are not UTF-8, and with
/// "mode" "executable" or "symlink" for files that are not regular.
json::Value package_to_json(const Package& package);
/// The inverse. kInvalid, with the path, for another format and for invalid paths.
Result<Package> package_from_json(const json::Value& files);

}  // namespace portico::krm
