// Who proposes and approves the drafts of a PackageVariant: a user, or the variant by policy.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/decode.h"

namespace portico::api {

/// The values of spec.approval.propose.policy and spec.approval.approve.policy, the default first.
inline constexpr std::array<std::string_view, 4> kApprovalPolicies = {"never", "initial", "always",
                                                                      "unedited"};

/// Nephio's annotations: "initial" or "always", and a duration that must have passed since the
/// revision was created.
inline constexpr std::string_view kNephioPolicy = "approval.nephio.org/policy";
inline constexpr std::string_view kNephioDelay = "approval.nephio.org/delay";

/// When a step is taken without a user.
struct ApprovalRule {
  std::string policy;                   // of kApprovalPolicies
  std::string after;                    // "10m": how long to wait first
  std::vector<std::string> conditions;  // of the PackageRevision, all of which must be True
  bool operator==(const ApprovalRule&) const = default;
};
struct Approval {
  std::optional<ApprovalRule> propose, approve;
  bool operator==(const Approval&) const = default;
};

/// "90s", "1h30m", "1.5h", "0s": units h, m, s and ms, at most 10 years.
Result<std::chrono::milliseconds> parse_wait(std::string_view text);

/// The errors in the approval of the spec or template at `path` ("spec").
std::vector<Cause> validate_approval(const Approval& approval, const std::string& path);

}  // namespace portico::api
