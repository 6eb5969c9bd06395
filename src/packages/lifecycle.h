// Which lifecycle changes of a package revision are allowed, and why not. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::packages {

enum class Transition { kPropose, kApprove, kReject, kProposeDeletion, kDelete };
const char* name(Transition transition);  // "propose", ...

/// What a transition does to a package revision.
enum class Outcome {
  kProposed,          // Draft -> Proposed
  kPublished,         // Proposed -> Published
  kDraft,             // Proposed -> Draft
  kRestored,          // DeletionProposed -> Published
  kDeletionProposed,  // Published -> DeletionProposed
  kGone,
  kNothing,  // it is in the wanted state already
};

/// What `transition` does to a revision in `lifecycle` ("Draft", "Proposed", "Published",
/// "DeletionProposed"); kInvalid, with Porch's message, if it is not allowed. `revision` -1 (the
/// branch head or a foreign tag) may be deleted directly, but not proposed for deletion.
Result<Outcome> outcome(Transition transition, std::string_view lifecycle, std::int64_t revision);

/// The condition types in spec.readinessGates that are not "True" in status.conditions, in the
/// order of the gates. Gates only block publication in a deployment repository.
std::vector<std::string> unmet_gates(const json::Value& package_revision);

}  // namespace portico::packages
