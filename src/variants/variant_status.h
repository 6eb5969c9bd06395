// The status of a variant after a step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "variants/decide.h"

namespace portico::variants {

/// The result of a build (Clone, the upgrades and the edits), also if the content turned out to
/// exist already.
struct Built {
  std::string revision;  // name of the draft, or of the existing revision with this content
  std::string tree;      // of the existing revision's content; "" for a draft
  std::string inputs_hash;
  std::vector<api::InjectedObject> injected;
  std::vector<api::MergeConflict> conflicts;
  json::Value render_status;
};

struct VariantOutcome {
  Decision decision;
  std::optional<Error> error;  // why the step was not carried out
  std::optional<Built> built;
};

/// The status of snapshot.variant; `snapshot` was observed after the step. Conditions:
///   Stalled    True with the reason of a Stall; else False / Valid
///   Ready      True / NoErrors after Keep; False with WaitingForReview, with Error and the error's
///              text, or with the reason of the Stall; unchanged while steps remain
///   Drifted    True while the branch has commits of others; False after that; else absent
///   Suspended  True after a Suspended step, which changes nothing else; else absent
/// downstreamTargets lists the owned Drafts and Proposed revisions, or else the newest Published
/// one, with the hashes and render results recorded for them. The result equals the snapshot's
/// status if nothing changed; it need not be written then.
api::PackageVariantStatus variant_status(const VariantSnapshot& snapshot,
                                         const VariantOutcome& outcome, TimePoint now);

}  // namespace portico::variants
