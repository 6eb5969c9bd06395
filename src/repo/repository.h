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

/// A commit that has a package exactly as its inputs make it, with nobody's edits: the trailer
/// Portico-Pristine.
struct Pristine {
  std::string commit, tree;  // of the package there
  std::string inputs;        // the digest of what it was made from
  bool operator==(const Pristine&) const = default;
};

/// What git says about one package revision.
struct Revision {
  std::string package;    // path below the repository's directory: "web", "a/b/c"
  std::string workspace;  // "v1", "packagevariant-1", or the branch name for the branch head
  int revision = 0;       // 0 draft or proposed, N of tag vN, -1 branch head or other tag
  Lifecycle lifecycle = Lifecycle::kDraft;
  std::string ref;     // full: refs/heads/drafts/..., refs/tags/..., refs/heads/main
  std::string commit;  // 40 hex; for the branch head the last commit that changed the package
  std::string tree;    // the package's tree: equal content, equal tree
  std::chrono::sys_time<std::chrono::seconds> committed{};
  std::string author;   // "name <mail>" of who made `commit`
  std::string variant;  // trailer Portico-Variant: "namespace/name", or ""
  std::string variant_set;
  /// Of a draft or proposal: the commit of the branch that it was started from, and the package's
  /// tree there; "" where it has no history in common with the branch, or the branch had no such
  /// package.
  std::string base_commit, base_tree;
  /// The pristine build that it came from, where its own commit says so (see pristine_of).
  std::optional<Pristine> pristine;
  std::string pin;  // trailer Portico-Pin: what follows the package's path; "" for none
  bool operator==(const Revision&) const = default;
};

/// spec.git of a Repository object.
struct Location {
  std::string url;  // a path, file://, https://, ssh:// or scp form
  std::string branch = "main";
  std::string directory;  // "", "infra/capi"; leading and trailing '/' do not matter
  bool create_branch = false;
  /// spec.git.author and .email: who all commits are by, "" for who makes them. Who made one that
  /// is not theirs by that is in its trailer Portico-User.
  std::string author, email;
  std::string username, password, bearer_token;  // for remotes
  bool push_drafts = true;                       // remotes: push drafts as branches too
};

/// Who a commit is by and what it says besides Porch's "kpt:" line.
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
  /// The pristine build that `content` came from, where this write has one, with the digest of its
  /// inputs. Where it differs from `content` it is a commit of its own, below that of `content`.
  std::shared_ptr<const krm::Package> pristine;
  std::string inputs;
  std::string expected_commit;  // the draft's commit as last read; "" for a new draft
  std::string parent_commit;    // of a new draft: its base in this repository, else the branch head
  /// A commit of the branch that the draft is based on from now on: a second parent; "" for none.
  std::string onto_commit;
  Message message;
  Signature author;
};

/// Safe from any thread. Writes block until they are durable; those that come together from several
/// threads share one pack and one transaction of refs (and one push). A ref that is not what the
/// caller last saw is kConflict, and nothing of that write is done.
class Repository {
 public:
  virtual ~Repository() = default;

  /// Brings a mirror up to date; nothing to do for a local repository. kUnavailable.
  virtual Result<Done> fetch() = 0;

  /// Fetches where a mirror does not have this commit yet: another process has pushed it, and
  /// told of it, since the last fetch. Where a fetch does not bring it there is none for it for ten
  /// seconds, or until fetch(). kUnavailable.
  virtual Result<Done> know(const std::string& commit) = 0;

  /// Every package revision, by package, then lifecycle and revision. Cost grows with the refs that
  /// moved since the last call.
  virtual Result<std::vector<Revision>> discover() = 0;

  /// The branch head's revision of one package, as discover() gives it. kNotFound where the branch
  /// has no such package. Cost grows with the commits since the package changed.
  virtual Result<Revision> branch_head(const std::string& package) = 0;

  /// The commit of the branch that is registered; "" where there is none yet.
  virtual Result<std::string> head() = 0;

  /// The files of a package by its tree id. Cached: the same tree is read once.
  virtual Result<std::shared_ptr<const krm::Package>> read(const std::string& tree) = 0;

  /// Only the files that are wanted: of a tree that is not cached the others are not read.
  virtual Result<std::shared_ptr<const krm::Package>> read_some(const std::string& tree,
                                                                const krm::WantedPath& wanted) = 0;

  /// The tree of a package as a commit has it, wherever refs point to by now. kNotFound.
  virtual Result<std::string> tree_at(const std::string& commit, const std::string& package) = 0;

  /// The newest commit among `commit` and its ancestors that has the package as a pristine build.
  /// Follows what the package came from: of a merge the parent with the same content, else the
  /// first. nullopt where there is none within 1,000 commits.
  virtual Result<std::optional<Pristine>> pristine_of(const std::string& commit,
                                                      const std::string& package) = 0;

  /// The commits from `commit` back to `until` (without it), newest first, in which the package
  /// differs from the parent that it is followed to; at most `most`.
  struct Change {
    std::string commit, author, subject;
    std::chrono::sys_time<std::chrono::seconds> when{};
    bool annotated = false;  // has a "kpt:" line about the package: it came from a revision
    bool pristine = false;   // has the package as a pristine build
    std::string workspace;   // of that line
    int revision = 0;        // of that line where it published the package
    std::string variant;     // trailer Portico-Variant
    std::vector<std::string> decisions;  // trailers Portico-Decision
  };
  virtual Result<std::vector<Change>> changes(const std::string& commit, const std::string& until,
                                              const std::string& package, std::size_t most) = 0;
  /// The same with our commits that left it as it was: what publishes it, a way back.
  virtual Result<std::vector<Change>> log(const std::string& commit, const std::string& package,
                                          std::size_t most) = 0;

  /// Creates or updates drafts/<dir>/<package>/<workspace> with one commit, or two. kInvalid for a
  /// draft of a package whose folder has other packages below it, which it would replace, or that
  /// lies in the folder of another.
  virtual Result<Revision> save_draft(const DraftWrite& write) = 0;

  // Lifecycle, each from the Revision as last seen.
  virtual Result<Revision> propose(const Revision& draft) = 0;
  virtual Result<Revision> reject(const Revision& proposed) = 0;
  /// Package tree replaced on the branch by a merge commit, tag <dir>/<package>/v<revision>, the
  /// proposed branch gone: one atomic transaction. kConflict where the branch has another content
  /// of the package than the proposal was based on; kInvalid where the packages would be nested.
  virtual Result<Revision> publish(const Revision& proposed, int revision, const Signature& by,
                                   const std::vector<std::string>& decisions = {}) = 0;
  virtual Result<Revision> propose_deletion(const Revision& published) = 0;
  virtual Result<Revision> restore(const Revision& deletion_proposed) = 0;
  /// Draft or proposed: the branch goes. DeletionProposed: tag and marker go; with `last` the
  /// package's folder on the branch too. Branch head: a commit without the folder.
  virtual Result<Done> remove(const Revision& revision, bool last, const Signature& by) = 0;

  /// What upstreamLock and selfLock say of a revision: {repo, directory, ref, commit}.
  struct Lock {
    std::string repo, directory, ref, commit;
  };
  virtual Lock lock_of(const Revision& revision) const = 0;

  /// Closes files and frees memory that the next use opens and fills again. Nobody is disturbed who
  /// uses it meanwhile.
  virtual void rest() = 0;

  /// Of a mirror: objects of it were found to be damaged or missing. open() fetches it anew.
  virtual bool is_damaged() const = 0;
};

/// Removes the locks that writers of ours left when they were killed, where `url` is a repository
/// of this machine; else nothing.
void clear_locks_of_the_dead(const std::string& url);

/// `mirror` is the folder for a remote's bare mirror (not used for a local repository). One that is
/// damaged is fetched anew (mirror.h).
/// kNotFound: no repository there; kInvalid: the branch is missing and create_branch is false.
Result<std::shared_ptr<Repository>> open(const Location& location, const std::string& mirror,
                                         const Options& options = {});

/// Whether open() would find the repository and its branch, by asking it alone: nothing is fetched
/// or made. Codes as of open(), and git::fetch()'s for a remote.
Result<Done> check(const Location& location, const Options& options = {});

}  // namespace portico::repo
