// Package revisions in a git repository on disk, which may be the mirror of a remote.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/guarded.h"
#include "base/mutex.h"
#include "base/time.h"
#include "git/remote.h"
#include "git/store.h"
#include "krm/package_cache.h"
#include "repo/internal/discovery.h"
#include "repo/internal/history.h"
#include "repo/repository.h"

namespace portico::repo {

/// What open() determined.
struct Opened {
  std::string url;        // for display, without secrets
  std::string folder;     // the bare repository or ".git" folder
  std::string branch;     // short name
  std::string directory;  // normalized
  std::string work_tree;  // of a non-bare repository; its checked-out branch is not written to
  std::optional<git::RemoteAddress> remote;
  git::Person author;  // of all commits; if the name is empty, the user of each change
  bool push_drafts = true;
  bool scratch = false;  // `folder` is a scratch repository (see Options): never fetched or pushed
};

/// kInvalid: the registered branch is missing and must not be created.
Error no_such_branch(const Opened& opened);

class GitRepository : public Repository {
 public:
  GitRepository(Opened opened, Options options);

  /// Opens the store and updates a mirror; creates a missing branch if `create_branch` is set.
  Result<Done> start(bool create_branch);

  Result<Done> fetch() override;
  Result<Done> know(const std::string& commit) override;
  Result<std::vector<Revision>> discover() override;
  Result<Revision> branch_head(const std::string& package) override;
  Result<std::string> head() override;
  Result<std::shared_ptr<const krm::Package>> read(const std::string& tree) override;
  Result<std::shared_ptr<const krm::Package>> read_some(const std::string& tree,
                                                        const krm::WantedPath& wanted) override;
  Result<std::string> tree_at(const std::string& commit, const std::string& package) override;
  Result<std::optional<Pristine>> pristine_of(const std::string& commit,
                                              const std::string& package) override;
  Result<std::vector<Change>> changes(const std::string& commit, const std::string& until,
                                      const std::string& package, std::size_t most) override;
  Result<std::vector<Change>> log(const std::string& commit, const std::string& package,
                                  std::size_t most) override;
  Result<Revision> save_draft(const DraftWrite& write) override;
  Result<Revision> propose(const Revision& draft) override;
  Result<Revision> reject(const Revision& proposed) override;
  Result<Revision> publish(const Revision& proposed, int revision, const Signature& by,
                           const std::vector<std::string>& decisions) override;
  Result<Revision> propose_deletion(const Revision& published) override;
  Result<Revision> restore(const Revision& deletion_proposed) override;
  Result<Done> remove(const Revision& revision, bool last, const Signature& by) override;
  Lock lock_of(const Revision& revision) const override;
  void rest() override;
  bool is_damaged() const override { return damaged_; }

 private:
  /// Marks the mirror as damaged; the next open() fetches it again.
  void note_damage(const std::string& how);
  Result<Done> fetch_now();
  /// Whether a recent fetch did not bring the commit.
  bool is_missed(const std::string& commit) const;
  TimePoint now() const;
  Result<std::shared_ptr<const git::RefSnapshot>> refs_now();
  /// Returns `done_with` as found by Discovery if the refs moved since the last call.
  Result<std::vector<Revision>> discover_now(std::vector<git::Ref>& done_with);
  /// Runs an operation on the remote and records its duration in the meter.
  Result<Done> measured(const char* verb, const std::function<Result<Done>()>& operation) const;
  std::string path_of(const std::string& package) const;
  std::string branch_ref() const { return "refs/heads/" + opened_.branch; }
  // Where drafts and proposals are stored: among the branches, or in refs that are not pushed.
  std::string draft_name(const std::string& path, const std::string& workspace) const;
  std::string proposed_name(const std::string& path, const std::string& workspace) const;
  std::string deletion_name(const Revision& revision) const;
  Result<Done> check_branch_is_free(const std::string& ref) const;
  // Sets base_commit and base_tree of drafts and proposals.
  Result<Done> add_bases(const git::RefSnapshot& snapshot, std::vector<Revision>& revisions)
      PORTICO_REQUIRES(discovering_);
  Result<Done> add_base(const git::ReadObject& read, const git::Oid& head, Revision& revision);
  // kInvalid if there are packages below `path` or above it.
  Result<Done> check_folder_is_free(const git::RefSnapshot& snapshot,
                                    const std::string& path) const;
  Result<Done> make_branch();
  Result<Done> check_base(git::Batch& batch, const git::RefSnapshot& snapshot,
                          const Revision& proposed, const std::string& path) const;
  // `root` is the tree of the branch.
  Result<Done> check_nesting(const git::ReadObject& read, const git::Oid& root,
                             const git::RefSnapshot& snapshot, const Revision& revision) const;
  Result<Revision> move_draft(const Revision& from, Lifecycle to);
  // Commits `tree` (zero: removes it) at `path` to the branch, with `more_parents`.
  Result<git::Oid> commit_to_branch(git::Batch& batch, const std::string& path,
                                    const git::Oid& tree, const std::vector<git::Oid>& more_parents,
                                    const std::string& message, const Signature& by);

  Opened opened_;
  Options options_;
  std::atomic<bool> damaged_ = false;
  using Missed = std::map<std::string, TimePoint>;  // commit -> time of a fetch without it
  mutable Guarded<Missed> missed_;
  std::unique_ptr<git::Store> store_;
  Mutex discovering_;  // one discovery at a time: the second reuses what the first found
  std::optional<Discovery> discovery_ PORTICO_GUARDED_BY(discovering_);
  // The snapshot that `revisions_` was built from.
  std::shared_ptr<const git::RefSnapshot> seen_ PORTICO_GUARDED_BY(discovering_);
  std::vector<Revision> revisions_ PORTICO_GUARDED_BY(discovering_);
  std::shared_ptr<Guarded<krm::PackageCache>> packages_;
  struct Base {
    std::string commit, tree;
  };
  // Keyed by the draft's commit.
  std::unordered_map<std::string, Base> bases_ PORTICO_GUARDED_BY(discovering_);
  Mutex walking_;
  BranchHistory history_ PORTICO_GUARDED_BY(walking_);
};

}  // namespace portico::repo
