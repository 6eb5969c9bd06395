// PackageVariant (config.porch.kpt.dev/v1alpha1): keeps one downstream package up to date with one
// upstream.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/approval.h"
#include "api/decode.h"
#include "api/meta.h"
#include "api/pipeline.h"
#include "api/retry.h"

namespace portico::api {

/// An upstream package, and at most one way to choose its revision; without any, the latest.
struct Upstream {
  std::string repo, package;
  /// Read from 3, "3" or "v3"; 0 counts as absent. Porch's -1 means the head of the branch.
  std::optional<std::int64_t> revision;
  std::string workspace_name;
  std::string tag;         // Portico only: followed when it moves
  std::string constraint;  // Portico only: "^2.1", ">=1.4 <2"
  bool operator==(const Upstream&) const = default;
};

struct Downstream {
  std::string repo, package;
  bool operator==(const Downstream&) const = default;
};

struct PackageContext {
  StringMap data;
  std::vector<std::string> remove_keys;
  bool operator==(const PackageContext&) const = default;

  bool empty() const { return data.empty() && remove_keys.empty(); }
};

/// Selects the in-cluster object for an injection point. An absent group, version or kind matches
/// any; an empty group is the core group.
struct InjectionSelector {
  std::optional<std::string> group, version, kind;
  std::string name;
  bool operator==(const InjectionSelector&) const = default;
};

/// The values of spec.upgradeStrategy and spec.onConflict, the defaults first.
inline constexpr std::array<std::string_view, 4> kUpgradeStrategies = {
    "resource-merge", "fast-forward", "force-delete-replace", "copy-merge"};
inline constexpr std::array<std::string_view, 3> kConflictPolicies = {"takeUpstream", "keepLocal",
                                                                      "fail"};

struct PackageVariantSpec {
  std::optional<Upstream> upstream;
  std::optional<Downstream> downstream;
  std::string adoption_policy;    // adoptNone, adoptExisting
  std::string deletion_policy;    // delete, orphan
  StringMap labels, annotations;  // of new drafts
  std::optional<PackageContext> package_context;
  std::optional<Pipeline> pipeline;
  std::vector<InjectionSelector> injectors;
  std::string upgrade_strategy;      // Portico only: one of kUpgradeStrategies
  std::string on_conflict;           // Portico only: one of kConflictPolicies
  std::optional<Approval> approval;  // Portico only
  bool operator==(const PackageVariantSpec&) const = default;
};

/// A downstream revision that the variant is responsible for.
struct DownstreamTarget {
  std::string name;           // of the PackageRevision
  json::Value render_status;  // as in PackageRevisionResources
  std::string lifecycle;      // Portico only
  std::int64_t revision = 0;  // Portico only
  /// Portico only: the digest of all its inputs. While it equals the digest of the current inputs,
  /// this revision is not built again.
  std::string inputs_hash;
  /// Portico only, while a rule of spec.approval waits: when the revision was first seen in this
  /// lifecycle with this content (its tree id).
  std::string since{}, tree{};
  bool operator==(const DownstreamTarget&) const = default;
};

/// Portico only: the upstream revision that the spec resolved to.
struct ResolvedUpstream {
  std::string package_revision;  // its name
  std::int64_t revision = 0;
  std::string commit;
  bool operator==(const ResolvedUpstream&) const = default;
};

/// Portico only: a field that both upstream and downstream had changed, and which side was taken.
struct MergeConflict {
  std::string path, object, field;  // "web.yaml", "Deployment.apps default/web", "spec.replicas"
  std::string base, ours, theirs;   // as JSON, shortened if long; "" if there is no value
  std::string taken;                // "ours", "theirs"
  std::string rule;                 // the reason for the conflict: "changed on both sides"
  bool operator==(const MergeConflict&) const = default;
};

/// Portico only: an object that the last mutation injected, or looked for and did not find (uid
/// empty).
struct InjectedObject {
  std::string api_version, kind, name, uid;
  bool operator==(const InjectedObject&) const = default;
};

/// Portico only: a revision that is not a target, and that needs no change for these inputs.
struct UnchangedRevision {
  std::string name, tree, inputs_hash;
  bool operator==(const UnchangedRevision&) const = default;
};

struct PackageVariantStatus {
  std::int64_t observed_generation = 0;
  std::vector<Condition> conditions;  // Stalled, Ready, Drifted, Suspended
  std::vector<DownstreamTarget> downstream_targets;
  std::optional<ResolvedUpstream> upstream;
  std::vector<MergeConflict> merge_conflicts;
  std::vector<InjectedObject> injected;
  std::optional<UnchangedRevision> unchanged;
  std::optional<Retry> retry;
  bool operator==(const PackageVariantStatus&) const = default;
};

struct PackageVariant {
  ObjectMeta metadata;
  PackageVariantSpec spec;
  PackageVariantStatus status;
  bool operator==(const PackageVariant&) const = default;
};

/// Fills in adoptNone, delete, resource-merge and takeUpstream.
PackageVariantSpec with_defaults(PackageVariantSpec spec);

/// The errors in `spec`, in Porch's wording and order; empty if it is valid. Joined with "; " they
/// are the message of the Stalled condition.
std::vector<Cause> validate(const PackageVariantSpec& spec);

/// The same for the upstream at `path` ("spec.upstream"): checks only the choice of the revision,
/// which sets and variants have in common.
std::vector<Cause> validate_upstream_choice(const Upstream& upstream, const std::string& path);
/// The same for upgradeStrategy and onConflict of the spec or template at `path`.
std::vector<Cause> validate_merge(std::string_view strategy, std::string_view on_conflict,
                                  const std::string& path);

}  // namespace portico::api
