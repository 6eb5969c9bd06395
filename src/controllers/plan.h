// What the controllers did, or would do, for people to read: of each set its actions, of each
// variant its steps, and what fails at the end.
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
  std::optional<std::string> no_match;  // which selectors match nothing, where all do
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

/// A step that a variant does to its downstream package.
struct PlannedVariant {
  krm::ObjectKey key;
  variants::VariantKey downstream;
  bool removed = false;  // the variant itself goes
  variants::Decision decision;
  /// Of a draft: its workspace and name, and what it holds; nothing where the step makes no
  /// content.
  std::string workspace, revision;
  std::optional<drafts::Built> built;
  std::optional<Error> error;  // why the step could not be carried out

  /// Whether it does anything: not a step that waits, fails or cannot be decided.
  bool changes() const {
    return !error && !std::holds_alternative<variants::WaitForReview>(decision.step) &&
           !std::holds_alternative<variants::Stall>(decision.step) &&
           !std::holds_alternative<variants::Suspended>(decision.step);
  }
};

/// An object that a person must look at when all is done.
struct PlannedError {
  krm::ObjectKey key;
  std::string message;
  bool before = false;  // it failed in the same way before
  bool asked = false;   // it is one of those that the plan is about, or a variant of such a set
  bool untold = false;  // its status does not say so: that may be what could not be written
};

/// What a step does to a revision that is there: "remove" (a draft or proposal), "proposeDeletion",
/// "orphan", "restore" (its proposed deletion is taken back), "adopt", "propose", "takeBack" (a
/// proposal is a draft again), "publish" or "keep".
struct Fate {
  std::string revision;
  std::string_view word;
};
/// None where the step makes content, waits or fails.
std::vector<Fate> fates_of(const variants::Step& step);

struct Plan {
  std::vector<PlannedSet> sets;  // those with something to tell, by key
  /// Those with something to tell, by key; of one variant its steps in order. The last may be one
  /// that failed, or waits.
  std::vector<PlannedVariant> variants;
  std::vector<PlannedError> errors;  // by key

  /// Whether anything is made, changed or deleted.
  bool changes() const;
  /// Whether something fails that the plan is about, or that did not fail before.
  bool failed() const;
};

}  // namespace portico::controllers
