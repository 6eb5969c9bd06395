// A repository that begins as another one is, and keeps to itself what is written to it.
#pragma once

#include <string>

#include "base/result.h"

namespace portico::git {

/// Makes the bare repository `folder`, which must not be there yet: with the refs that the
/// repository `of` (bare, or a ".git" folder) has now. Objects are read from `of`, which is not
/// written to and must outlive it.
Result<Done> make_scratch(const std::string& of, const std::string& folder);

}  // namespace portico::git
