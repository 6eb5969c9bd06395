// What the controllers would do about changed objects, without doing it: the same decisions on an
// overlay, another executor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "drafts/drafts.h"
#include "packages/package_store.h"
#include "registry/overlay.h"
#include "variants/decide.h"
#include "variants/set_decide.h"

namespace portico::controllers {

/// What a set would do to its variants.
struct PlannedSet {
  krm::ObjectKey key;
  std::optional<variants::Stall> stall;
  std::optional<std::string> no_match;  // which selectors match nothing, where all do
  std::vector<variants::SetAction> actions;
  std::optional<variants::Hold> hold;  // deletions that are not among the actions
  std::vector<variants::FailedTarget> failures;
  std::size_t desired = 0;
};

/// A step that a variant would do to its downstream package.
struct PlannedVariant {
  krm::ObjectKey key;
  variants::VariantKey downstream;
  bool removed = false;  // the variant itself goes
  variants::Decision decision;
  /// Of a draft: its workspace, and what it would hold; nothing where the step makes no content.
  std::string workspace;
  std::optional<drafts::Built> built;
  std::optional<Error> error;  // why the draft could not be built
};

struct Plan {
  std::vector<PlannedSet> sets;
  /// Only those with something to do, by key; of one variant its steps in order, up to the first
  /// that makes content.
  std::vector<PlannedVariant> variants;
};

/// `below` is the store as it is, `overlay` the same with the changed objects written into it;
/// `revisions` reads through the overlay. Nothing is written but to the overlay. Sets and variants
/// that the changed objects do not concern are not looked at.
Result<Plan> make_plan(const registry::Registry& below, registry::Overlay& overlay,
                       drafts::Drafts& drafts);

}  // namespace portico::controllers
