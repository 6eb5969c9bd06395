// Whether a draft is proposed, or a proposal approved, without a person. Pure.
#pragma once

#include <optional>
#include <string>

#include "variants/downstream.h"
#include "variants/variant_snapshot.h"

namespace portico::variants {

enum class Stage { kPropose, kApprove };

struct Verdict {
  bool now = false;
  std::optional<TimePoint> later;  // where nothing but time is missing
  std::string why;                 // "policy always", "it has local edits"
};

/// What spec.approval says of a draft (kPropose) or proposal (kApprove); without spec.approval
/// Nephio's annotation, of the revision, else of the variant's spec, else of the variant. Nothing
/// where a person decides. Whatever the policy, what somebody rejected, what has conflicts or what
/// does not meet its readiness gates is left to a person.
std::optional<Verdict> verdict(const VariantSnapshot& snapshot, const Revision& revision,
                               Stage stage);

/// Whether the time since `revision` came to its lifecycle counts for what is next (see
/// api::DownstreamTarget::since).
bool waits(const api::PackageVariant& variant, const Revision& revision);

}  // namespace portico::variants
