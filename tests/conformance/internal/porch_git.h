// The git repositories of recorded exchanges with Porch: making them, adding to them, looking.
#pragma once

#include <string>

#include "base/result.h"
#include "json/value.h"

namespace portico::conformance {

/// A bare repository in the folder, with the commits of a case's `git.NAME`.
Result<Done> make_repository(const std::string& folder, const json::Value& commits);
/// More of them.
Result<Done> add_commits(const std::string& folder, const json::Value& commits);

/// What a step `git` asks of the repository, in the form of its `result`; without its log.
Result<json::Value> look_at(const std::string& folder, const json::Value& step);

}  // namespace portico::conformance
