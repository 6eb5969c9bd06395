// Which commit of a branch last changed each package.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "git/object_db.h"

namespace portico::repo {

using PackageTrees = std::map<std::string, git::Oid, std::less<>>;  // full path -> tree

/// Follows the branch itself (first parents): a package that came by a merge was changed by the
/// merge. One walk answers for all packages and stops when all are found, or at the head of the
/// last call, from where that call's answers hold.
class LastChanges {
 public:
  /// `packages` are those of `head`. The commit of each.
  Result<std::map<std::string, git::Oid>> find(const git::ReadObject& read, const git::Oid& head,
                                               const PackageTrees& packages);

 private:
  git::Oid head_;
  std::map<std::string, git::Oid> commits_;  // at head_
};

}  // namespace portico::repo
