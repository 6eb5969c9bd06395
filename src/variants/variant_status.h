// What a variant says about itself after a step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "variants/decide.h"

namespace portico::variants {

/// What came of building: by Clone, the upgrades and the edits, also where the content turned out
/// to be there already.
struct Built {
  std::string revision;  // name of the draft, or of the revision that was found to be right
  std::string tree;      // of the latter's content; "" of a draft
  std::string inputs_hash;
  std::vector<api::InjectedObject> injected;
  std::vector<api::MergeConflict> conflicts;
  json::Value render_status;
};

struct VariantOutcome {
  Decision decision;
  std::optional<Error> error;  // what kept the step from being carried out
  std::optional<Built> built;
};

/// The status of snapshot.variant; `snapshot` is as observed after the step. Conditions: Stalled
/// True with the reason of a Stall, else False / Valid; Ready True / NoErrors after Keep, False
/// with WaitingForReview, with Error and the text of the error, or with the reason of the Stall;
/// what is still on its way stays as it was. Drifted True while the branch has commits of others,
/// False once it had some. Suspended is there, True, after that step only, which changes nothing
/// else. downstreamTargets: owned Drafts and Proposed, else the
/// newest Published, with the hashes and render results that were recorded for them. Equal to the
/// status in the snapshot where nothing changed: then it need not be written.
api::PackageVariantStatus variant_status(const VariantSnapshot& snapshot,
                                         const VariantOutcome& outcome, TimePoint now);

}  // namespace portico::variants
