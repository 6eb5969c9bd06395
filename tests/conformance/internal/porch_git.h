// Git repositories for recorded exchanges with Porch: creates, extends and inspects them.
#pragma once

#include <string>

#include "base/result.h"
#include "json/value.h"

namespace portico::conformance {

/// Creates a bare repository in the folder, with the commits of a case's `git.NAME`.
Result<Done> make_repository(const std::string& folder, const json::Value& commits);
/// Adds further commits.
Result<Done> add_commits(const std::string& folder, const json::Value& commits);

/// The answer to a `git` step, in the form of its `result`; without the log.
Result<json::Value> look_at(const std::string& folder, const json::Value& step);

}  // namespace portico::conformance
