// Decides the next step for a PackageVariant, with its reason. Pure.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "variants/downstream.h"
#include "variants/stall.h"
#include "variants/variant_snapshot.h"

namespace portico::variants {

/// The downstream package does not exist: creates a draft that is a copy of the upstream.
struct Clone {
  Revision upstream;
  std::string workspace;
};
/// The upstream has changed: creates a new draft, which merges it into `base`. The base's
/// upstreamLock identifies the upstream that was merged last.
struct UpgradeNewDraft {
  Revision upstream, base;
  std::string workspace;
};
/// The same in an existing draft; edits made to it since count as local changes.
struct UpgradeInPlace {
  Revision upstream, draft;
};
/// The inputs changed, but not the upstream: creates a new draft if the mutations yield content
/// different from `base`; otherwise only records the hash of the new inputs in the status.
struct EditNewDraft {
  Revision upstream, base;
  std::string workspace;
};
struct EditInPlace {
  Revision upstream, draft;
};
/// A change is due, but a proposal is never changed while it is under review.
struct WaitForReview {
  Revision proposed;
};
/// The draft was started from content that is no longer the published one: reapplies its changes to
/// the content that is.
struct Rebase {
  Revision draft, onto;
};
/// The draft contains nothing beyond the published content: deletes it.
struct DropDraft {
  Revision draft;
};
/// The variant's policy proposes the draft, or approves the proposal, instead of a user.
struct Propose {
  Revision draft;
};
struct Approve {
  Revision proposed;
};
/// A proposal made by the policy is based on outdated content by now: turns it back into a draft,
/// instead of approving it.
struct TakeBack {
  Revision proposed;
};
/// Back to Published: the variant wants revisions that it, or a user, proposed to delete.
struct Restore {
  std::vector<Revision> revisions;
};
/// See adopted().
struct Adopt {
  std::vector<Revision> revisions;
};
/// Owned revisions that are no longer wanted, each with the way to part with it; see
/// after_farewell().
struct LetGo {
  std::vector<std::pair<Revision, Farewell>> revisions;
};
/// The variant is being deleted and owns nothing any more.
struct DropFinalizer {};
struct Keep {};
/// Nothing is done until the variant, or the Repository of its package, is resumed.
struct Suspended {};

using Step = std::variant<Keep, Clone, UpgradeNewDraft, UpgradeInPlace, EditNewDraft, EditInPlace,
                          Rebase, DropDraft, WaitForReview, Propose, Approve, TakeBack, Restore,
                          Adopt, LetGo, DropFinalizer, Stall, Suspended>;

struct Decision {
  Step step;
  std::string reason;  // one line, for users
  /// When to decide again, if only a wait has to pass: after a step that ends the sequence.
  std::optional<TimePoint> next{};
};

/// The name of the step: "Clone", "UpgradeNewDraft", ...
const char* name(const Step& step);

/// After a step has been carried out, the next decision on a new snapshot is the next step. Keep,
/// WaitForReview, Stall, Suspended and DropFinalizer end the sequence (see ends()), and fewer than
/// kMostSteps steps come before. While its Repository is suspended a variant does nothing; while it
/// is suspended itself, it does nothing unless it is being deleted. Otherwise the order is: let go
/// of unwanted revisions, adopt existing ones, take back deletion proposals; then change content;
/// then propose or approve by policy. Stall reasons: ValidationError, UpstreamNotFound,
/// RepositoryNotFound, RepositoryNotReady, Conflict.
Decision decide(const VariantSnapshot& snapshot);

/// Whether nothing is left to do after the step until something changes.
bool ends(const Step& step);

/// An upper bound on the length of any sequence of decisions.
inline constexpr int kMostSteps = 64;

/// The object of a new draft for Clone, UpgradeNewDraft or EditNewDraft, including its task. The
/// variant owns it, and it has the labels and annotations of the variant's spec.
api::PackageRevision new_draft(const api::PackageVariant& variant, const Step& step);

}  // namespace portico::variants
