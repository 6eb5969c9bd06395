// Finds a git repository on this machine by its folder.
#pragma once

#include <string>

#include "base/result.h"

namespace portico::git {

/// Returns whether `folder` has what git requires of a repository: HEAD, objects and refs.
bool is_repository(const std::string& folder);

struct LocalRepository {
  std::string folder;     // the bare repository, or the ".git" folder
  std::string work_tree;  // "" for a bare repository
};

/// kNotFound: there is no repository at `path`; kInvalid: its format is not one that is written
/// directly (a linked work tree, SHA-256 ids, reftable refs).
Result<LocalRepository> find_local(const std::string& path);

}  // namespace portico::git
