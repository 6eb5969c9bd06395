// The port to package revisions: reading, saving, transitions. Implemented over git, and by a
// client of Porch's API.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "krm/package.h"
#include "krm/wanted_path.h"

namespace portico::packages {

/// Who makes a change: author of the commits, and publishedBy. A controller adds its decision and
/// the reason for it, for the commit's trailers.
struct Actor {
  std::string name, email;
  std::string decision{};  // "Approve: policy always"; "" for a user
  /// For a transition: the resourceVersion of the revision that the decision was based on;
  /// kConflict if it has changed; "" for any.
  std::string decided_on{};
  // For log lines: the id of the reconcile, "" for a user; and of the user's request, "" for a
  // controller or a command without a server.
  std::string run{}, audit_id{};
};

/// A draft to store with exactly this content: a new one, or the next version of an existing one.
struct SaveRequest {
  std::string ns, repository, package, workspace;
  /// The draft's object as it was read; null for a new draft. kConflict if it has changed since.
  json::Value draft;
  /// For a new draft: the revision of the package that it starts from; null for the branch head.
  json::Value base;
  krm::Package content;
  /// The pristine build that `content` was made from, if there is one, and the digest of its
  /// inputs; stored as a separate commit if it differs.
  std::shared_ptr<const krm::Package> pristine;
  std::string inputs;
  /// The revision (or branch head) of the package that the draft is based on from now on; null for
  /// no change.
  json::Value onto;
  /// For a new draft: the source of metadata.labels, annotations, ownerReferences, finalizers,
  /// managedFields and spec.tasks; null for none.
  json::Value object;
  std::string subject;  // the commit subject, in Porch's words: "Creating new revision by cloning"
  std::string body;     // more of the message; may be empty
  json::Value task;  // for the "kpt:" line, and for spec.tasks if `object` has none; null for none
  std::string variant, variant_set;  // "namespace/name" for the commit's trailers
  /// For a draft that rolls back: the api::Pin as JSON, for the commit's trailers; null for none.
  json::Value pin;
  Actor actor;
};

/// A commit with exactly the package that a variant's inputs produce (api::PristineBuild).
struct Pristine {
  std::string commit, tree, inputs;
};

/// A commit that changed a package.
struct Change {
  std::string commit;
  std::string author;  // "name <mail>"
  std::string when;    // RFC 3339
  std::string subject;
  bool pristine = false;  // has the package exactly as a variant's inputs produce it, without edits
  std::string workspace;  // of the revision that it was made for; "" if not made by Portico
  int revision = 0;       // the number under which it published the package; 0: none
  std::string variant;    // "namespace/name" of the variant that made it
  std::vector<std::string> decisions;  // what was decided automatically, and why
};

struct Synced {
  std::size_t packages = 0, revisions = 0;
  std::size_t written = 0;  // objects that were changed
  std::string head = {};    // the commit of the repository's branch; "": none
};

/// Operations on package revisions for users. Thread-safe. Writes are durable when they return.
class Revisions {
 public:
  virtual ~Revisions() = default;

  /// The content of a revision, identified by its object.
  virtual Result<std::shared_ptr<const krm::Package>> read(const json::Value& package_revision) = 0;
  /// The same with only the wanted files; others need not be read.
  virtual Result<std::shared_ptr<const krm::Package>> read_some(const json::Value& package_revision,
                                                                const krm::WantedPath& wanted) = 0;
  /// The content of a package at a commit of its repository, wherever refs point now. kNotFound.
  virtual Result<std::shared_ptr<const krm::Package>> read_at(const std::string& ns,
                                                              const std::string& repository,
                                                              const std::string& package,
                                                              const std::string& commit) = 0;

  /// The newest pristine build among the revision's ancestors; nullopt if there is none.
  virtual Result<std::optional<Pristine>> pristine_of(const json::Value& package_revision) = 0;

  /// The commits that changed the package up to this revision, newest first; at most `most`.
  virtual Result<std::vector<Change>> history(const json::Value& package_revision,
                                              std::size_t most) = 0;
  /// The same, including Portico's commits that did not change the content: publications,
  /// rollbacks.
  virtual Result<std::vector<Change>> log(const json::Value& package_revision,
                                          std::size_t most) = 0;

  /// Lifecycle transitions (lifecycle.h). Return the object as stored afterwards. kInvalid if the
  /// rules forbid it, kNotFound for an unknown name. approve: kConflict if the draft's base is no
  /// longer the head of the registered branch (base.h).
  virtual Result<json::Value> propose(const krm::ObjectKey& key, const Actor& actor) = 0;
  virtual Result<json::Value> approve(const krm::ObjectKey& key, const Actor& actor) = 0;
  virtual Result<json::Value> reject(const krm::ObjectKey& key, const Actor& actor) = 0;
  virtual Result<json::Value> propose_deletion(const krm::ObjectKey& key, const Actor& actor) = 0;
  virtual Result<Done> remove(const krm::ObjectKey& key, const Actor& actor) = 0;

  /// Whether a Repository that is not stored yet can be read: its address, with the credentials in
  /// `secret` (null: of the stored Secret that it names), and its branch unless it is to be
  /// created. Fetches and keeps nothing. Error codes as for sync().
  virtual Result<Done> check(const json::Value& repository, const json::Value& secret) = 0;
  /// Updates the stored objects of one Repository to match its packages.
  virtual Result<Synced> sync(const json::Value& repository) = 0;
  /// Deletes the objects of a Repository that was removed; the packages themselves are not touched.
  virtual Result<Done> forget(const std::string& ns, const std::string& repository) = 0;
};

/// The same, for code that builds drafts itself.
class PackageStore : public Revisions {
 public:
  /// Returns the PackageRevision as stored. Atomic: readers see the whole draft or nothing of it.
  virtual Result<json::Value> save(const SaveRequest& request) = 0;
};

krm::ObjectKey revision_key(const std::string& ns, const std::string& name);

}  // namespace portico::packages
