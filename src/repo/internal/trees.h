// Converts packages to and from git trees.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "git/object_db.h"
#include "git/staging.h"
#include "krm/package.h"
#include "krm/wanted_path.h"
#include "repo/options.h"

namespace portico::repo {

/// All files below a tree, or only the wanted ones. kInvalid if a limit is exceeded, and for a
/// submodule, whose content is not in this repository.
Result<krm::Package> load_package(const git::ObjectDb& objects, const git::Oid& tree,
                                  const Limits& limits, const krm::WantedPath& wanted = {});

/// Returns the package's tree; adds to `staging` what `objects` lacks. kInvalid for a path that
/// cannot be stored, for a name that is both file and folder ("a" and "a/b"), beyond the limits,
/// and without a Kptfile at the root.
Result<git::Oid> stage_package(const krm::Package& package, const git::ObjectDb& objects,
                               git::Staging& staging, const Limits& limits);

using AddObject = std::function<git::Oid(git::ObjectType, std::string_view)>;

/// Returns the root tree with `tree` at `path`, or without `path` if `tree` is zero (folders that
/// become empty are removed). `root` may be zero: an empty tree. kInvalid if a part of the path is
/// a file.
Result<git::Oid> with_subtree(const git::ReadObject& read, const AddObject& add,
                              const git::Oid& root, std::string_view path, const git::Oid& tree);

/// Whether a tree is a package: it contains a file called Kptfile.
Result<bool> is_package(const git::ReadObject& read, const git::Oid& tree);

}  // namespace portico::repo
