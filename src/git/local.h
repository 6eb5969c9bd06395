// A repository on this machine, found by its folder.
#pragma once

#include <string>

#include "base/result.h"

namespace portico::git {

/// Whether `folder` has what git takes for a repository: HEAD, objects and refs.
bool is_repository(const std::string& folder);

struct LocalRepository {
  std::string folder;     // the bare repository, or the ".git" folder
  std::string work_tree;  // "" of a bare one
};

/// kNotFound: there is no repository at `path`; kInvalid: one of a form that is not written to
/// directly (a linked work tree, SHA-256 ids, refs in reftable form).
Result<LocalRepository> find_local(const std::string& path);

}  // namespace portico::git
