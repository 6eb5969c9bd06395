// Classifies a variant's downstream revisions, and edits the metadata that marks them as owned.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/package_variant.h"
#include "variants/revision.h"

namespace portico::variants {

struct Downstreams {
  std::vector<Revision> drafts;    // owned, of the downstream package
  std::vector<Revision> proposed;  // the same
  /// The newest published revision that is owned (DeletionProposed included).
  std::optional<Revision> published;
  /// A published revision of the package that is newer than `published` and not owned: a user made
  /// it. The next revision is based on it, so that its changes are not lost.
  std::optional<Revision> newer;
  std::optional<Revision> head;  // the package on the registered branch
  /// Proposed for deletion, but to be published again: the newest revision of the package, and
  /// those that the variant itself let go.
  std::vector<Revision> to_restore;
  std::vector<Revision> adoptable;  // not owned yet, to be adopted first; see below
  std::vector<Revision> strays;     // owned, of another package or repository
  std::optional<Revision>
      conflict;  // would be adopted or used as base, but another object controls it
  std::optional<Revision> taken;  // a revision of the package that another object controls
  bool package_exists = false;    // whether the package has any revision at all

  /// The published content that a new draft starts from: the newest published revision, or the head
  /// of the branch if it has different content. nullopt if nothing is published.
  std::optional<Revision> current() const;

  bool none_owned() const { return drafts.empty() && proposed.empty() && !published; }
  /// The revisions for status.downstreamTargets: drafts and proposed, or else the newest published.
  std::vector<Revision> targets() const;
};

/// With adoptionPolicy adoptExisting, the adoptable revisions are the package's Drafts, its
/// Proposed revisions and its newest published one. Under any policy they include revisions that a
/// variant of this name let go, and revisions whose commit names the variant, because owner
/// references are lost together with the metadata store. The head of a branch is never owned.
Downstreams sort_downstreams(const api::PackageVariant& variant,
                             std::span<const Revision> observed);

/// Whether the variant owns one of these revisions that is of its downstream package.
bool owns_downstream(const api::PackageVariant& variant, std::span<const Revision> observed);

/// The rival (see VariantSnapshot) that gets the downstream package before `variant`; null if
/// `variant` gets it. The oldest variant gets a package that no variant owns; of those created in
/// the same second the first by name. Rivals that are being deleted do not count. If there are
/// revisions to adopt, only rivals with adoptionPolicy adoptExisting count, and a revision whose
/// commits name one of the variants goes to that one. See docs/decisions/0573.
const api::PackageVariant* comes_first(
    const api::PackageVariant& variant, const Downstreams& downstreams,
    std::span<const std::shared_ptr<const api::PackageVariant>> rivals);

/// The controller reference that marks an object as owned by the variant.
krm::OwnerReference owner_reference(const api::PackageVariant& variant);

/// Whether the variant itself made the revision, according to its commits, and may therefore delete
/// it when it is of no use.
bool own_work(const api::PackageVariant& variant, const Revision& revision);

/// The revision with the variant as controller, and with the variant's labels and annotations
/// merged in.
api::PackageRevision adopted(api::PackageRevision revision, const api::PackageVariant& variant);

/// The revision without the variant among its owners.
api::PackageRevision released(api::PackageRevision revision, const api::PackageVariant& variant);

/// The revision as Published, without the annotation that says it was let go.
api::PackageRevision restored(api::PackageRevision revision);

/// How a variant parts with a revision.
enum class Farewell {
  kNone,             // nothing to do
  kDelete,           // the object is deleted
  kProposeDeletion,  // Published becomes DeletionProposed
  kRelease,          // only the owner reference is removed
  kProposeAndRelease,
};
const char* name(Farewell farewell);

/// Follows spec.deletionPolicy. delete: Drafts and Proposed revisions are deleted, and Published
/// ones are proposed for deletion; if the variant itself is being deleted they are released as
/// well, so that garbage collection does not delete them without approval. orphan: all are
/// released.
Farewell farewell(const Revision& revision, const api::PackageVariant& variant);

/// The object after a farewell other than kNone and kDelete. An orphan gets an empty variant
/// annotation, which then overrides its commits: only adoptExisting adopts it again.
api::PackageRevision after_farewell(api::PackageRevision revision,
                                    const api::PackageVariant& variant, Farewell farewell);

}  // namespace portico::variants
