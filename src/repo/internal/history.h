// Where a package came from: questions to the graph of commits.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "git/object_db.h"
#include "repo/repository.h"

namespace portico::repo {

/// The commits that a branch's head leads to. Learns what is new only; what a branch that was
/// rewritten no longer leads to is forgotten. A shallow clone's history ends where it ends. Not
/// for several threads at once.
class BranchHistory {
 public:
  Result<Done> move_to(const git::ReadObject& read, const git::Oid& head);
  bool contains(const git::Oid& commit) const { return commits_.contains(commit); }

 private:
  git::Oid head_;
  std::unordered_set<git::Oid> commits_;
};

/// The commit of the branch that a draft was started from, or brought onto since; zero where they
/// have no history in common.
Result<git::Oid> base_of(const git::ReadObject& read, const BranchHistory& branch,
                         const git::Oid& draft);

/// Repository::pristine_of, changes and, with `unchanged`, log; `path` is the package's full path.
Result<std::optional<Pristine>> find_pristine(const git::ReadObject& read, const git::Oid& commit,
                                              std::string_view path, int most_commits);
Result<std::vector<Repository::Change>> find_changes(const git::ReadObject& read,
                                                     const git::Oid& commit, const git::Oid& until,
                                                     std::string_view path, std::size_t most,
                                                     bool unchanged = false);

}  // namespace portico::repo
