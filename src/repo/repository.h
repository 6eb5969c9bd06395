// Package revisions in one git repository, in Porch's layout of branches and tags.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "krm/lifecycle.h"
#include "krm/package.h"
#include "krm/wanted_path.h"
#include "repo/options.h"

namespace portico::repo {

using krm::Lifecycle;

/// A commit that contains a package exactly as built from its inputs, without edits: it has the
/// trailer Portico-Pristine.
struct Pristine {
  std::string commit, tree;  // `tree` is that of the package
  std::string inputs;        // digest of the inputs
  bool operator==(const Pristine&) const = default;
};

/// One package revision as stored in git.
struct Revision {
  std::string package;    // path below the repository's directory: "web", "a/b/c"
  std::string workspace;  // "v1", "packagevariant-1", or the branch name for the branch head
  int revision = 0;       // 0 draft or proposed, N of tag vN, -1 branch head or other tag
  Lifecycle lifecycle = Lifecycle::kDraft;
  std::string ref;     // full: refs/heads/drafts/..., refs/tags/..., refs/heads/main
  std::string commit;  // 40 hex; for the branch head the last commit that changed the package
  std::string tree;    // the package's tree: equal content, equal tree
  std::chrono::sys_time<std::chrono::seconds> committed{};
  std::string author;   // "name <mail>" of the author of `commit`
  std::string variant;  // trailer Portico-Variant: "namespace/name", or ""
  std::string variant_set;
  /// For a draft or proposal: the commit of the branch that it was started from, and the package's
  /// tree there; "" if it shares no history with the branch, or the branch did not have the
  /// package.
  std::string base_commit, base_tree;
  /// The pristine build it is based on, if its own commits record it (see pristine_of).
  std::optional<Pristine> pristine;
  std::string pin;  // trailer Portico-Pin: the text after the package path; "" if none
  bool operator==(const Revision&) const = default;
};

/// spec.git of a Repository object.
struct Location {
  std::string url;  // a path, file://, https://, ssh:// or scp form
  std::string branch = "main";
  std::string directory;  // "", "infra/capi"; leading and trailing '/' do not matter
  bool create_branch = false;
  /// spec.git.author and .email: the author of all commits; "" uses the user of each change. The
  /// user of a commit whose author is overridden is recorded in its trailer Portico-User.
  std::string author, email;
  std::string username, password, bearer_token;  // for remotes
  bool push_drafts = true;                       // remotes: also push drafts as branches
};

/// The author and time of a commit.
struct Signature {
  std::string name, email;
  std::chrono::sys_time<std::chrono::seconds> when{};
};
struct Message {
  std::string subject;  // "Creating new revision by cloning"
  std::string body;     // e.g. the table of merge conflicts; may be empty
  std::string task;     // JSON of the task for the kpt: line; may be empty
  std::string variant;  // -> trailer Portico-Variant
  std::string variant_set;
  std::string pristine;                  // digest of the inputs -> trailer Portico-Pristine
  std::string pin{};                     // without blanks -> trailer Portico-Pin
  std::vector<std::string> decisions{};  // -> trailers Portico-Decision
};

struct DraftWrite {
  std::string package, workspace;
  krm::Package content;
  /// The pristine build of `content`, if this write has one, with the digest of its inputs. If it
  /// differs from `content`, it becomes a separate commit below that of `content`.
  std::shared_ptr<const krm::Package> pristine;
  std::string inputs;
  std::string expected_commit;  // the draft's commit as last read; "" for a new draft
  std::string parent_commit;    // base of a new draft in this repository; "": the branch head
  /// A branch commit that the draft is rebased onto, recorded as a second parent; "" for none.
  std::string onto_commit;
  Message message;
  Signature author;
};

/// Thread-safe. Writes block until they are durable; concurrent writes share one pack, one ref
/// transaction and one push. If a ref differs from what the caller last saw, that write is
/// kConflict and has no effect.
class Repository {
 public:
  virtual ~Repository() = default;

  /// Updates a mirror; a no-op for a local repository. kUnavailable.
  virtual Result<Done> fetch() = 0;

  /// Fetches if a mirror does not have this commit yet, which another process pushed and announced
  /// since the last fetch. If the fetch does not bring the commit, it is not fetched again for ten
  /// seconds, or until fetch(). kUnavailable.
  virtual Result<Done> know(const std::string& commit) = 0;

  /// Every package revision, sorted by package, then lifecycle and revision. Cost grows with the
  /// refs that moved since the last call.
  virtual Result<std::vector<Revision>> discover() = 0;

  /// The branch head's revision of one package, as discover() returns it. kNotFound if the branch
  /// has no such package. Cost grows with the number of commits since the package changed.
  virtual Result<Revision> branch_head(const std::string& package) = 0;

  /// The current commit of the registered branch; "" if it has none yet.
  virtual Result<std::string> head() = 0;

  /// The files of a package, by tree id. Cached: each tree is read once.
  virtual Result<std::shared_ptr<const krm::Package>> read(const std::string& tree) = 0;

  /// Like read(), but only the wanted files; if the tree is not cached, other files are not read.
  virtual Result<std::shared_ptr<const krm::Package>> read_some(const std::string& tree,
                                                                const krm::WantedPath& wanted) = 0;

  /// The tree of a package in a commit, regardless of where refs point now. kNotFound.
  virtual Result<std::string> tree_at(const std::string& commit, const std::string& package) = 0;

  /// The newest commit among `commit` and its ancestors that has the package as a pristine build.
  /// At a merge it follows the parent with the same content, else the first. nullopt if there is
  /// none within 1,000 commits.
  virtual Result<std::optional<Pristine>> pristine_of(const std::string& commit,
                                                      const std::string& package) = 0;

  /// The commits from `commit` back to `until` (exclusive), newest first, in which the package
  /// differs from the parent that is followed; at most `most`.
  struct Change {
    std::string commit, author, subject;
    std::chrono::sys_time<std::chrono::seconds> when{};
    bool annotated = false;  // has a "kpt:" line about the package: it belongs to a revision
    bool pristine = false;   // contains the package as a pristine build
    std::string workspace;   // from that line
    int revision = 0;        // from that line if the commit published the package
    std::string variant;     // trailer Portico-Variant
    std::vector<std::string> decisions;  // trailers Portico-Decision
  };
  virtual Result<std::vector<Change>> changes(const std::string& commit, const std::string& until,
                                              const std::string& package, std::size_t most) = 0;
  /// Like changes() without `until`, but also returns Portico commits that left the package
  /// unchanged, such as publications and rollbacks.
  virtual Result<std::vector<Change>> log(const std::string& commit, const std::string& package,
                                          std::size_t most) = 0;

  /// Creates or updates drafts/<dir>/<package>/<workspace> with one or two commits. kInvalid for a
  /// new draft without parent_commit if its folder contains other packages, or is not a package on
  /// the branch (such as a folder inside another package): it would replace what is there.
  virtual Result<Revision> save_draft(const DraftWrite& write) = 0;

  // Lifecycle steps. Each takes the Revision as last seen.
  virtual Result<Revision> propose(const Revision& draft) = 0;
  virtual Result<Revision> reject(const Revision& proposed) = 0;
  /// In one atomic transaction: replaces the package's tree on the branch with a merge commit,
  /// creates tag <dir>/<package>/v<revision>, and removes the proposed branch (a remote may keep
  /// it: discover() then removes it). kConflict if the package on the branch differs from the
  /// proposal's base; kInvalid if packages would be nested.
  virtual Result<Revision> publish(const Revision& proposed, int revision, const Signature& by,
                                   const std::vector<std::string>& decisions = {}) = 0;
  virtual Result<Revision> propose_deletion(const Revision& published) = 0;
  virtual Result<Revision> restore(const Revision& deletion_proposed) = 0;
  /// Draft or proposed: removes the branch. DeletionProposed: removes tag and marker; with `last`
  /// also the package's folder on the branch. Branch head: commits the removal of the folder.
  virtual Result<Done> remove(const Revision& revision, bool last, const Signature& by) = 0;

  /// The values for upstreamLock and selfLock of a revision: {repo, directory, ref, commit}.
  struct Lock {
    std::string repo, directory, ref, commit;
  };
  virtual Lock lock_of(const Revision& revision) const = 0;

  /// Closes files and frees memory; the next use reopens them. Safe while other threads use it.
  virtual void rest() = 0;

  /// Mirrors only: objects were found to be damaged or missing. The next open() fetches it again.
  virtual bool is_damaged() const = 0;
};

/// Removes locks that killed Portico writers left, if `url` is a repository on this machine; else a
/// no-op.
void clear_locks_of_the_dead(const std::string& url);

/// `mirror` is the folder for a remote's bare mirror (unused for a local repository). A damaged
/// mirror is replaced (mirror.h). kNotFound: no local repository at that path; kInvalid: the branch
/// is missing and create_branch is false; for a remote also the codes of git::fetch().
Result<std::shared_ptr<Repository>> open(const Location& location, const std::string& mirror,
                                         const Options& options = {});

/// Whether open() would find the repository and its branch, by only querying it: nothing is fetched
/// or created. Codes as for open() and, for a remote, git::fetch().
Result<Done> check(const Location& location, const Options& options = {});

}  // namespace portico::repo
