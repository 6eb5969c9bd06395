// Creates a copy-on-write repository, based on another one that it never writes to.
#pragma once

#include <string>

#include "base/result.h"

namespace portico::git {

/// Creates the bare repository `folder`, which must not exist yet, with the refs that the
/// repository `of` (bare, or a ".git" folder) has now. Objects are read from `of`, which is never
/// written to and must outlive the new repository.
Result<Done> make_scratch(const std::string& of, const std::string& folder);

}  // namespace portico::git
