// Which package revisions the refs of a repository stand for.
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

/// What the branch at `ref` has of the package at `path` (its full path, with this tree), which
/// the commit `id` changed last.
Revision head_revision(std::string_view directory, std::string_view branch, const git::Ref& ref,
                       std::string_view path, const git::Oid& tree, const git::Oid& id,
                       const git::Commit& commit);

/// Keeps what it learned, so that another call reads only what moved. Not safe from several
/// threads.
class Discovery {
 public:
  /// `directory` is clean (names.h).
  Discovery(const git::ObjectDb& objects, std::string branch, std::string directory);

  struct Found {
    /// Sorted by package, lifecycle, revision and workspace.
    std::vector<Revision> revisions;
    /// Proposals whose very commit is published under the same workspace: what an approval leaves
    /// that was cut off before it removed them. They are not among the revisions.
    std::vector<git::Ref> done_with;
  };
  /// A ref that stands for no package is passed over; an object that is missing or corrupt is an
  /// error, for a partial list would look whole.
  Result<Found> run(const git::RefSnapshot& snapshot);

 private:
  struct Folder;  // the packages below one tree
  using Folders = std::unordered_map<git::Oid, std::shared_ptr<const Folder>>;

  Result<std::vector<Revision>> branch_head(const git::Ref& ref);
  // Moves them from the revisions to done_with.
  Result<Done> take_out_done(Found& found);
  Result<std::shared_ptr<const Folder>> packages_below(const git::Oid& tree, bool root, int depth);

  git::ReadObject read_;
  std::string branch_, directory_;

  struct Known {
    git::Oid id;
    std::optional<Revision> revision;
  };
  std::map<std::string, Known, std::less<>> known_;  // by name of the ref
  git::Oid head_;
  std::vector<Revision> head_revisions_;
  Folders folders_;
  LastChanges last_changes_;
};

}  // namespace portico::repo
