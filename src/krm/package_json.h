// A package as JSON, every file of it, and back: for programs that hand packages to each other.
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "krm/package.h"

namespace portico::krm {

/// {PATH: {"text": "..."}}, with "base64" in place of "text" for what is no UTF-8, and with "mode"
/// "executable" or "symlink" for files that are no regular ones.
json::Value package_to_json(const Package& package);
/// The inverse. kInvalid, with the path, for another form and for paths that no file can have.
Result<Package> package_from_json(const json::Value& files);

}  // namespace portico::krm
