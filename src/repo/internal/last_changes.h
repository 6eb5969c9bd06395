// Finds the branch commit that last changed each package.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "git/object_db.h"

namespace portico::repo {

using PackageTrees = std::map<std::string, git::Oid, std::less<>>;  // full path -> tree

/// Follows a package to each parent that has it unchanged, in order, so a package that a merge
/// brought in unchanged was changed by a commit of the merged branch. One walk serves all packages.
/// It stops when all are found, and takes over the previous call's results when it reaches that
/// call's head.
class LastChanges {
 public:
  /// `packages` are those at `head`. Returns the commit for each.
  Result<std::map<std::string, git::Oid>> find(const git::ReadObject& read, const git::Oid& head,
                                               const PackageTrees& packages);

 private:
  git::Oid head_;
  std::map<std::string, git::Oid> commits_;  // at head_
};

}  // namespace portico::repo
