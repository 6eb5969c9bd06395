// What a PackageVariant has to do next: one step, with its reason. Pure.
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

/// The downstream package does not exist: a draft that is a copy of the upstream.
struct Clone {
  Revision upstream;
  std::string workspace;
};
/// Upstream moved on: a new draft, `base` merged with it. The base's upstreamLock says what was
/// merged last.
struct UpgradeNewDraft {
  Revision upstream, base;
  std::string workspace;
};
/// The same into a draft that is there, with its later edits as local changes.
struct UpgradeInPlace {
  Revision upstream, draft;
};
/// The inputs changed, upstream did not: a new draft if the mutations give other content than
/// `base` has, else nothing but the new inputs' hash in the status.
struct EditNewDraft {
  Revision upstream, base;
  std::string workspace;
};
struct EditInPlace {
  Revision upstream, draft;
};
/// Something is to change, but a proposal is never changed under its reviewer.
struct WaitForReview {
  Revision proposed;
};
/// The draft was started from what is not published any more: its changes are put on top of what
/// is.
struct Rebase {
  Revision draft, onto;
};
/// The draft has nothing that is not published: it goes.
struct DropDraft {
  Revision draft;
};
/// The policy of the variant proposes the draft, or approves the proposal, in place of a person.
struct Propose {
  Revision draft;
};
struct Approve {
  Revision proposed;
};
/// What the policy proposed, and would approve, is on an old base by now: it is a draft again.
struct TakeBack {
  Revision proposed;
};
/// Back to Published: the variant wants what it, or somebody, proposed to delete.
struct Restore {
  std::vector<Revision> revisions;
};
/// See adopted().
struct Adopt {
  std::vector<Revision> revisions;
};
/// Owned revisions that are not wanted any more, each with how to part; see after_farewell().
struct LetGo {
  std::vector<std::pair<Revision, Farewell>> revisions;
};
/// The variant is being deleted and owns nothing any more.
struct DropFinalizer {};
struct Keep {};
/// Nothing is done until the variant, or the repository of its package, is resumed.
struct Suspended {};

using Step = std::variant<Keep, Clone, UpgradeNewDraft, UpgradeInPlace, EditNewDraft, EditInPlace,
                          Rebase, DropDraft, WaitForReview, Propose, Approve, TakeBack, Restore,
                          Adopt, LetGo, DropFinalizer, Stall, Suspended>;

struct Decision {
  Step step;
  std::string reason;  // one line, for people
  /// When to look again, where nothing but time is missing: after a step that ends.
  std::optional<TimePoint> next{};
};

/// The name of the step: "Clone", "UpgradeNewDraft", ...
const char* name(const Step& step);

/// Carried out and observed again, the next decision is the next step; Keep, WaitForReview,
/// Stall, Suspended and DropFinalizer end the sequence (see ends()), and there are fewer than
/// kMostSteps before. What is suspended does nothing, but for a variant that is being deleted.
/// Else, in this order: what is not wanted goes, what is there is adopted, deletion proposals are
/// taken back; then content; then what the policy of the variant proposes or approves. Stall
/// reasons: ValidationError, UpstreamNotFound, RepositoryNotFound, RepositoryNotReady, Conflict.
Decision decide(const VariantSnapshot& snapshot);

/// Whether nothing is left to do after the step until something changes.
bool ends(const Step& step);

/// More steps in a row than any sequence of decisions has.
inline constexpr int kMostSteps = 64;

/// The object of a new draft for Clone, UpgradeNewDraft or EditNewDraft, with its task: owned by
/// the variant, with the labels and annotations of its spec.
api::PackageRevision new_draft(const api::PackageVariant& variant, const Step& step);

}  // namespace portico::variants
