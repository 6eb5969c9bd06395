// PackageVariant (config.porch.kpt.dev/v1alpha1): one downstream package kept up to date with one
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

/// Which upstream package, and at most one way to say which of its revisions; none: the latest.
struct Upstream {
  std::string repo, package;
  /// Of 3, "3" and "v3" alike; 0 is absent. Porch's -1 means the head of the branch.
  std::optional<std::int64_t> revision;
  std::string workspace_name;
  std::string tag;         // ours: followed as it moves
  std::string constraint;  // ours: "^2.1", ">=1.4 <2"
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

/// Selects the in-cluster object that goes into an injection point. An absent group, version or
/// kind matches all; an empty group is the core group.
struct InjectionSelector {
  std::optional<std::string> group, version, kind;
  std::string name;
  bool operator==(const InjectionSelector&) const = default;
};

/// The words of spec.upgradeStrategy and of spec.onConflict, the defaults first.
inline constexpr std::array<std::string_view, 4> kUpgradeStrategies = {
    "resource-merge", "fast-forward", "force-delete-replace", "copy-merge"};
inline constexpr std::array<std::string_view, 3> kConflictPolicies = {"takeUpstream", "keepLocal",
                                                                      "fail"};

struct PackageVariantSpec {
  std::optional<Upstream> upstream;
  std::optional<Downstream> downstream;
  std::string adoption_policy;    // adoptNone, adoptExisting
  std::string deletion_policy;    // delete, orphan
  StringMap labels, annotations;  // of the drafts that are created
  std::optional<PackageContext> package_context;
  std::optional<Pipeline> pipeline;
  std::vector<InjectionSelector> injectors;
  std::string upgrade_strategy;      // ours: of kUpgradeStrategies
  std::string on_conflict;           // ours: of kConflictPolicies
  std::optional<Approval> approval;  // ours
  bool operator==(const PackageVariantSpec&) const = default;
};

/// One downstream revision that the variant answers for.
struct DownstreamTarget {
  std::string name;           // of the PackageRevision
  json::Value render_status;  // as PackageRevisionResources has it
  std::string lifecycle;      // ours
  std::int64_t revision = 0;  // ours
  /// Ours: the digest of everything that went into it. While it stays what the inputs give, nothing
  /// is built again for this revision.
  std::string inputs_hash;
  /// Ours, while a rule of spec.approval has a wait that counts from it: when the revision was
  /// first seen in this lifecycle with this content (the id of its tree).
  std::string since{}, tree{};
  bool operator==(const DownstreamTarget&) const = default;
};

/// Ours: the upstream as it was resolved.
struct ResolvedUpstream {
  std::string package_revision;  // its name
  std::int64_t revision = 0;
  std::string commit;
  bool operator==(const ResolvedUpstream&) const = default;
};

/// Ours: a field that upstream and downstream had both changed, and what was taken.
struct MergeConflict {
  std::string path, object, field;  // "web.yaml", "Deployment.apps default/web", "spec.replicas"
  std::string base, ours, theirs;   // as JSON, cut where long; "" where there is no value
  std::string taken;                // "ours", "theirs"
  std::string rule;                 // why it is one: "changed on both sides"
  bool operator==(const MergeConflict&) const = default;
};

/// Ours: an object that the last mutation injected, or looked for and did not find (uid empty).
struct InjectedObject {
  std::string api_version, kind, name, uid;
  bool operator==(const InjectedObject&) const = default;
};

/// Ours: a revision that is no target, and was found to need no change for these inputs.
struct UnchangedRevision {
  std::string name, tree, inputs_hash;
  bool operator==(const UnchangedRevision&) const = default;
};

struct PackageVariantStatus {
  std::int64_t observed_generation = 0;
  std::vector<Condition> conditions;  // Stalled, Ready, Drifted
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

/// adoptNone, delete, resource-merge, takeUpstream.
PackageVariantSpec with_defaults(PackageVariantSpec spec);

/// What is wrong with it, in Porch's words and order; empty where nothing is. Joined with "; " it
/// is the message of the Stalled condition.
std::vector<Cause> validate(const PackageVariantSpec& spec);

/// The same for an upstream that stands at `path` ("spec.upstream"): only the ways to choose a
/// revision, which sets and variants share.
std::vector<Cause> validate_upstream_choice(const Upstream& upstream, const std::string& path);
/// The same for upgradeStrategy and onConflict of the spec or template at `path`.
std::vector<Cause> validate_merge(std::string_view strategy, std::string_view on_conflict,
                                  const std::string& path);

}  // namespace portico::api
