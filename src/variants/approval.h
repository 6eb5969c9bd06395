// Whether the policy proposes a draft or approves a proposal without a user. Pure.
#pragma once

#include <optional>
#include <string>

#include "variants/downstream.h"
#include "variants/variant_snapshot.h"

namespace portico::variants {

enum class Stage { kPropose, kApprove };

struct Verdict {
  bool now = false;
  std::optional<TimePoint> later;  // if only the wait has to pass
  std::string why;                 // "policy always", "it has local edits"
};

/// What spec.approval says about a draft (kPropose) or a proposal (kApprove). Without
/// spec.approval, Nephio's annotation decides: that of the revision, else of the variant's spec,
/// else of the variant. nullopt if a user has to decide. Under any policy, a draft that a user
/// rejected, a revision with conflicts and one with unmet readiness gates are left to the users.
std::optional<Verdict> verdict(const VariantSnapshot& snapshot, const Revision& revision,
                               Stage stage);

/// Whether the next decision about `revision` depends on how long it has been in its lifecycle (see
/// api::DownstreamTarget::since).
bool waits(const api::PackageVariant& variant, const Revision& revision);

}  // namespace portico::variants
