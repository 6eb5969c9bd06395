// Walks the commit graph to find where a package came from.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "git/object_db.h"
#include "repo/repository.h"

namespace portico::repo {

/// The commits reachable from a branch's head. move_to() reads only new commits. After a rewrite of
/// the branch it forgets commits that are no longer reachable. In a shallow clone it ends where the
/// history ends. Not thread-safe.
class BranchHistory {
 public:
  Result<Done> move_to(const git::ReadObject& read, const git::Oid& head);
  bool contains(const git::Oid& commit) const { return commits_.contains(commit); }

 private:
  git::Oid head_;
  std::unordered_set<git::Oid> commits_;
};

/// The branch commit that a draft was started from or last rebased onto; zero if they share no
/// history.
Result<git::Oid> base_of(const git::ReadObject& read, const BranchHistory& branch,
                         const git::Oid& draft);

/// Implements Repository::pristine_of, changes and, with `unchanged`, log; `path` is the package's
/// full path.
Result<std::optional<Pristine>> find_pristine(const git::ReadObject& read, const git::Oid& commit,
                                              std::string_view path, int most_commits);
Result<std::vector<Repository::Change>> find_changes(const git::ReadObject& read,
                                                     const git::Oid& commit, const git::Oid& until,
                                                     std::string_view path, std::size_t most,
                                                     bool unchanged = false);

}  // namespace portico::repo
