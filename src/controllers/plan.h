// What the controllers did, or would do, in a form to show to users: the actions of each set, the
// steps of each variant, and the remaining failures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "drafts/request.h"
#include "krm/meta.h"
#include "variants/decide.h"
#include "variants/set_decide.h"
#include "variants/set_status.h"

namespace portico::controllers {

/// What a set does to its variants.
struct PlannedSet {
  krm::ObjectKey key;
  std::optional<variants::Stall> stall;
  std::optional<std::string> no_match;  // which selectors match nothing, if none of them matches
  std::vector<variants::SetAction> actions;
  std::optional<variants::Hold> hold;  // deletions that are not among the actions
  std::vector<variants::FailedTarget> failures;
  std::vector<variants::FailedAction> failed_actions;
  std::size_t desired = 0;

  bool quiet() const {
    return !stall && !no_match && actions.empty() && !hold && failures.empty() &&
           failed_actions.empty();
  }
};

/// A step of a variant on its downstream package.
struct PlannedVariant {
  krm::ObjectKey key;
  variants::VariantKey downstream;
  bool removed = false;  // the variant itself is being deleted
  variants::Decision decision;
  /// For a draft: its workspace, name and content; empty if the step makes no content.
  std::string workspace, revision;
  std::optional<drafts::Built> built;
  std::optional<Error> error;  // why the step could not be carried out

  /// Whether the step changes anything: false for a step that waits, fails or cannot be decided.
  bool changes() const {
    return !error && !std::holds_alternative<variants::WaitForReview>(decision.step) &&
           !std::holds_alternative<variants::Stall>(decision.step) &&
           !std::holds_alternative<variants::Suspended>(decision.step);
  }
};

/// An object that still fails at the end and needs attention.
struct PlannedError {
  krm::ObjectKey key;
  std::string message;
  bool before = false;  // it failed in the same way before
  bool asked = false;   // the plan was requested for this object, or for the set it belongs to
  bool untold = false;  // its status does not show it, perhaps because that write failed
};

/// What a step does to an existing revision: "remove" (a draft or proposal), "proposeDeletion",
/// "orphan", "restore" (withdraws its proposed deletion), "adopt", "propose", "takeBack" (turns a
/// proposal back into a draft), "publish" or "keep".
struct Fate {
  std::string revision;
  std::string_view word;
};
/// Empty if the step makes content, waits or fails.
std::vector<Fate> fates_of(const variants::Step& step);

struct Plan {
  std::vector<PlannedSet> sets;  // those with something to report, by key
  /// Those with something to report, by key; the steps of one variant in order. The last step of a
  /// variant may be one that failed or waits.
  std::vector<PlannedVariant> variants;
  std::vector<PlannedError> errors;  // by key

  /// Whether the plan creates, changes or deletes anything.
  bool changes() const;
  /// Whether there is a failure of a requested object, or one that did not exist before.
  bool failed() const;
};

}  // namespace portico::controllers
