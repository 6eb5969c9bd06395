// The port to package revisions: reading, saving, transitions. Git implements it; another Porch's
// API can stand in.
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

/// Who asks: author of the commits and publishedBy. A controller says what it decided and why, for
/// the trailers of the commit.
struct Actor {
  std::string name, email;
  std::string decision{};  // "Approve: policy always"; "" for a person
  /// Of a transition: the resourceVersion of the revision that was decided on, kConflict where it
  /// has moved; "" for any.
  std::string decided_on{};
  std::string run{};  // the id of the work that this is part of, for log lines; "" for a person
};

/// One draft to be stored as it stands: a new one, or the next version of one that is there.
struct SaveRequest {
  std::string ns, repository, package, workspace;
  /// The draft's object as it was read; null for a new draft. kConflict where it has moved since.
  json::Value draft;
  /// Of a new draft: the revision of the package that it starts from; null for the branch head.
  json::Value base;
  krm::Package content;
  /// The pristine build that `content` came from, where this draft has one, with the digest of its
  /// inputs: kept as a commit of its own where it differs.
  std::shared_ptr<const krm::Package> pristine;
  std::string inputs;
  /// The revision (or branch head) of the package that the draft is based on from now on; null for
  /// none.
  json::Value onto;
  /// Of a new draft: metadata.labels, annotations, ownerReferences, finalizers, managedFields and
  /// spec.tasks are taken from here; null for none.
  json::Value object;
  std::string subject;  // Porch's words for the commit: "Creating new revision by cloning"
  std::string body;     // more of the message; may be empty
  json::Value task;  // for the "kpt:" line, and spec.tasks where `object` has none; null for none
  std::string variant, variant_set;  // "namespace/name" for the commit's trailers
  /// Where the draft is a way back: see api::Pin, as JSON for the commit's trailers; null for none.
  json::Value pin;
  Actor actor;
};

/// A commit that has a package exactly as a variant's inputs make it (api::PristineBuild).
struct Pristine {
  std::string commit, tree, inputs;
};

/// A commit that changed a package.
struct Change {
  std::string commit;
  std::string author;  // "name <mail>"
  std::string when;    // RFC 3339
  std::string subject;
  bool pristine = false;  // it has the package as a variant's inputs make it, with nobody's edits
  std::string workspace;  // of the revision that it was made for; "" for a commit by hand
  int revision = 0;       // it published the package as this one
  std::string variant;    // "namespace/name" of the variant that it is by
  std::vector<std::string> decisions;  // what was decided without a person, and why
};

struct Synced {
  std::size_t packages = 0, revisions = 0;
  std::size_t written = 0;  // objects that had to be changed
  std::string head = {};    // the commit of the repository's branch; "": none
};

/// What people do with package revisions. Safe from any thread. Writes are durable when they
/// return.
class Revisions {
 public:
  virtual ~Revisions() = default;

  /// The content of a revision, by its object.
  virtual Result<std::shared_ptr<const krm::Package>> read(const json::Value& package_revision) = 0;
  /// The same with only the files that are wanted; the others need not be read.
  virtual Result<std::shared_ptr<const krm::Package>> read_some(const json::Value& package_revision,
                                                                const krm::WantedPath& wanted) = 0;
  /// The content of a package as a commit of its repository has it, wherever refs point to by now.
  /// kNotFound.
  virtual Result<std::shared_ptr<const krm::Package>> read_at(const std::string& ns,
                                                              const std::string& repository,
                                                              const std::string& package,
                                                              const std::string& commit) = 0;

  /// The newest pristine build among the revision's ancestors; nullopt where there is none.
  virtual Result<std::optional<Pristine>> pristine_of(const json::Value& package_revision) = 0;

  /// The commits that made the revision what it is, newest first: those in which the package
  /// differs from the one before; at most `most`.
  virtual Result<std::vector<Change>> history(const json::Value& package_revision,
                                              std::size_t most) = 0;
  /// The same, with our commits that left it as it was: what publishes it, a way back.
  virtual Result<std::vector<Change>> log(const json::Value& package_revision,
                                          std::size_t most) = 0;

  /// Lifecycle transitions (lifecycle.h): the object as stored afterwards. kInvalid where the rules
  /// forbid it, kNotFound for an unknown name. approve: kConflict where the draft is based on what
  /// is no longer what the registered branch has (base.h).
  virtual Result<json::Value> propose(const krm::ObjectKey& key, const Actor& actor) = 0;
  virtual Result<json::Value> approve(const krm::ObjectKey& key, const Actor& actor) = 0;
  virtual Result<json::Value> reject(const krm::ObjectKey& key, const Actor& actor) = 0;
  virtual Result<json::Value> propose_deletion(const krm::ObjectKey& key, const Actor& actor) = 0;
  virtual Result<Done> remove(const krm::ObjectKey& key, const Actor& actor) = 0;

  /// Whether a Repository that is to be stored can be read: its address, with the login of `secret`
  /// (null: of the stored Secret that it names), and its branch where that is not to be made.
  /// Nothing is fetched or kept. Codes as of sync().
  virtual Result<Done> check(const json::Value& repository, const json::Value& secret) = 0;
  /// Brings the stored objects of one Repository up to what its packages are.
  virtual Result<Synced> sync(const json::Value& repository) = 0;
  /// Forgets the objects of a Repository that is gone; the packages are not touched.
  virtual Result<Done> forget(const std::string& ns, const std::string& repository) = 0;
};

/// The same for what builds drafts itself.
class PackageStore : public Revisions {
 public:
  /// The PackageRevision as stored afterwards. Others see the whole draft or nothing of it.
  virtual Result<json::Value> save(const SaveRequest& request) = 0;
};

krm::ObjectKey revision_key(const std::string& ns, const std::string& name);

}  // namespace portico::packages
