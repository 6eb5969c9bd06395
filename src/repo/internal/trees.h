// Packages as git trees.
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

/// All files below a tree, or only those that are wanted. kInvalid beyond the limits, and for a
/// submodule, which has no bytes here.
Result<krm::Package> load_package(const git::ObjectDb& objects, const git::Oid& tree,
                                  const Limits& limits, const krm::WantedPath& wanted = {});

/// The package's tree; adds to `staging` what `objects` does not have. kInvalid for a path that
/// cannot be stored, for "a" beside "a/b", beyond the limits, and without a Kptfile at the root.
Result<git::Oid> stage_package(const krm::Package& package, const git::ObjectDb& objects,
                               git::Staging& staging, const Limits& limits);

using AddObject = std::function<git::Oid(git::ObjectType, std::string_view)>;

/// The root tree with `tree` at `path`, or with nothing there where `tree` is zero (folders that
/// become empty go too). `root` may be zero: an empty one. kInvalid where a part of the path is a
/// file.
Result<git::Oid> with_subtree(const git::ReadObject& read, const AddObject& add,
                              const git::Oid& root, std::string_view path, const git::Oid& tree);

/// Whether a tree is a package: it has a file called Kptfile.
Result<bool> is_package(const git::ReadObject& read, const git::Oid& tree);

}  // namespace portico::repo
