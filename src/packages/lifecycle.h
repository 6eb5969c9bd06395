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

/// What a transition makes of a package revision.
enum class Outcome {
  kProposed,          // Draft -> Proposed
  kPublished,         // Proposed -> Published
  kDraft,             // Proposed -> Draft
  kRestored,          // DeletionProposed -> Published
  kDeletionProposed,  // Published -> DeletionProposed
  kGone,
  kNothing,  // it is there already
};

/// What `transition` does to a revision in `lifecycle` ("Draft", "Proposed", "Published",
/// "DeletionProposed"); kInvalid with Porch's text where it may not. `revision` -1 (the branch head
/// or a foreign tag) may be deleted but not proposed for publication.
Result<Outcome> outcome(Transition transition, std::string_view lifecycle, std::int64_t revision);

/// The condition types of spec.readinessGates that status.conditions does not have as "True", in
/// the order of the gates. Gates block publishing to a deployment repository only.
std::vector<std::string> unmet_gates(const json::Value& package_revision);

}  // namespace portico::packages
