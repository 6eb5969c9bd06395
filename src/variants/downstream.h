// A variant's downstream revisions, told apart by what they are to it, and the metadata that makes
// them its own.
#pragma once

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
  /// A published revision of the package that is newer than `published` and not owned: a person
  /// made it. What comes next is based on it, so that its changes are not lost.
  std::optional<Revision> newer;
  std::optional<Revision> head;  // what the registered branch has of the package
  /// Proposed for deletion, and to be published again: the newest of the package, and what the
  /// variant itself let go.
  std::vector<Revision> to_restore;
  std::vector<Revision> adoptable;  // to be owned first; see below
  std::vector<Revision> strays;     // owned, of another package or repository
  std::optional<Revision>
      conflict;                   // would be adopted, or based on, but another object controls it
  std::optional<Revision> taken;  // of the package, and controlled by another object
  bool package_exists = false;    // whether the package has any revision at all

  /// What is published now, and a new draft starts from: the newest published revision, or the head
  /// of the branch where somebody has committed there since. Nothing where nothing is published.
  std::optional<Revision> current() const;

  bool none_owned() const { return drafts.empty() && proposed.empty() && !published; }
  /// What status.downstreamTargets lists: drafts and proposed, else the newest published.
  std::vector<Revision> targets() const;
};

/// Adoptable are, with adoptionPolicy adoptExisting, the package's Drafts, its Proposed revisions
/// and its newest published one; and under any policy the revisions whose commit names the variant,
/// which lose their owner when the metadata store does, and those that a variant of this name let
/// go. A branch's head is never owned.
Downstreams sort_downstreams(const api::PackageVariant& variant,
                             std::span<const Revision> observed);

/// The controller reference that marks what the variant owns.
krm::OwnerReference owner_reference(const api::PackageVariant& variant);

/// Whether the variant itself made the revision, and so may remove it where it is of no use: its
/// commits say so.
bool own_work(const api::PackageVariant& variant, const Revision& revision);

/// With the variant as controller, and its labels and annotations merged in.
api::PackageRevision adopted(api::PackageRevision revision, const api::PackageVariant& variant);

/// Without the variant among the owners.
api::PackageRevision released(api::PackageRevision revision, const api::PackageVariant& variant);

/// Published again, without the mark of having been let go.
api::PackageRevision restored(api::PackageRevision revision);

/// How a variant parts with a revision.
enum class Farewell {
  kNone,             // it is already where it should be
  kDelete,           // the object goes
  kProposeDeletion,  // Published becomes DeletionProposed
  kRelease,          // only the owner reference goes
  kProposeAndRelease,
};
const char* name(Farewell farewell);

/// By spec.deletionPolicy. delete: Drafts and Proposed go, Published is proposed for deletion;
/// where the variant itself is being deleted it is released too, so that nothing collects it
/// unasked. orphan: released.
Farewell farewell(const Revision& revision, const api::PackageVariant& variant);

/// The object after a farewell other than kNone and kDelete. An orphan's annotation of the variant
/// is empty, and stays so whatever its commits say: nothing takes it back but adoptExisting.
api::PackageRevision after_farewell(api::PackageRevision revision,
                                    const api::PackageVariant& variant, Farewell farewell);

}  // namespace portico::variants
