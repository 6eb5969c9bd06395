// Finds the package revisions that the refs of a repository represent.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "git/object_db.h"
#include "git/refs.h"
#include "repo/internal/last_changes.h"
#include "repo/repository.h"

namespace portico::repo {

/// The branch-head revision of the package at `path` (full path, with this tree) on the branch at
/// `ref`; `id` is the commit that last changed it.
Revision head_revision(std::string_view directory, std::string_view branch, const git::Ref& ref,
                       std::string_view path, const git::Oid& tree, const git::Oid& id,
                       const git::Commit& commit);

/// Keeps its results between calls, so a later call reads only what moved. Not thread-safe.
class Discovery {
 public:
  /// `directory` is normalized (clean_directory in names.h).
  Discovery(const git::ObjectDb& objects, std::string branch, std::string directory);

  struct Found {
    /// Sorted by package, lifecycle, revision and workspace.
    std::vector<Revision> revisions;
    /// Proposals whose commit is already published under the same workspace: left by an approval
    /// that was interrupted before it removed them. They are not among the revisions.
    std::vector<git::Ref> done_with;
  };
  /// Skips refs that represent no package. A missing or corrupt object is an error, because a
  /// partial list would look complete.
  Result<Found> run(const git::RefSnapshot& snapshot);

 private:
  struct Folder;  // the packages below one tree
  using Folders = std::unordered_map<git::Oid, std::shared_ptr<const Folder>>;

  Result<std::vector<Revision>> branch_head(const git::Ref& ref);
  // Moves finished proposals from the revisions to done_with.
  Result<Done> take_out_done(Found& found);
  Result<std::shared_ptr<const Folder>> packages_below(const git::Oid& tree, bool root, int depth);

  git::ReadObject read_;
  std::string branch_, directory_;

  struct Known {
    git::Oid id;
    std::optional<Revision> revision;
  };
  std::map<std::string, Known, std::less<>> known_;  // by ref name
  git::Oid head_;
  std::vector<Revision> head_revisions_;
  Folders folders_;
  LastChanges last_changes_;
};

}  // namespace portico::repo
