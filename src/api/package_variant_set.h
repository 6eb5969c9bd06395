// PackageVariantSet (config.porch.kpt.dev/v1alpha2): an upstream, targets, and a template that
// makes one PackageVariant for each target.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/package_variant.h"

namespace portico::api {

struct RepositoryTarget {
  std::string name;
  std::vector<std::string> package_names;
  bool operator==(const RepositoryTarget&) const = default;
};

struct RepositorySelector {
  LabelSelector labels;
  std::vector<std::string> package_names;
  bool operator==(const RepositorySelector&) const = default;
};

struct ObjectSelector {
  std::string api_version, kind;
  std::string name;  // empty: any
  LabelSelector labels;
  std::vector<std::string> package_names;
  bool operator==(const ObjectSelector&) const = default;
};

/// A map entry whose key and value are each a plain string or a CEL expression.
struct MapExpr {
  std::optional<std::string> key, value, key_expr, value_expr;
  bool operator==(const MapExpr&) const = default;
};

struct DownstreamTemplate {
  std::optional<std::string> repo, package, repo_expr, package_expr;
  bool operator==(const DownstreamTemplate&) const = default;
};

struct PackageContextTemplate {
  StringMap data;
  std::vector<std::string> remove_keys;
  std::vector<MapExpr> data_exprs;
  std::vector<std::string> remove_key_exprs;
  bool operator==(const PackageContextTemplate&) const = default;
};

struct InjectionSelectorTemplate {
  std::optional<std::string> group, version, kind, name, name_expr;
  bool operator==(const InjectionSelectorTemplate&) const = default;
};

struct FunctionTemplate {
  Function function;
  std::vector<MapExpr> config_map_exprs;
  bool operator==(const FunctionTemplate&) const = default;
};

struct PipelineTemplate {
  std::vector<FunctionTemplate> validators, mutators;
  bool operator==(const PipelineTemplate&) const = default;
};

struct VariantTemplate {
  std::optional<DownstreamTemplate> downstream;
  std::optional<std::string> adoption_policy, deletion_policy;
  StringMap labels;
  std::vector<MapExpr> label_exprs;
  StringMap annotations;
  std::vector<MapExpr> annotation_exprs;
  std::optional<PackageContextTemplate> package_context;
  std::optional<PipelineTemplate> pipeline;
  std::vector<InjectionSelectorTemplate> injectors;
  std::optional<std::string> upgrade_strategy, on_conflict;  // Portico only
  std::optional<Approval> approval;                          // Portico only
  bool operator==(const VariantTemplate&) const = default;
};

/// Exactly one of the first three is set.
struct Target {
  std::optional<std::vector<RepositoryTarget>> repositories;
  std::optional<RepositorySelector> repository_selector;
  std::optional<ObjectSelector> object_selector;
  /// Applies to the selector, or to every repository listed; see package_names().
  std::vector<std::string> package_names;
  std::optional<VariantTemplate> tmpl;
  bool operator==(const Target&) const = default;
};

/// The package names for what `target` selects: `own`, which are those of the repository or inside
/// the selector; if empty, those of the target. If both are empty, the upstream's package name is
/// used.
const std::vector<std::string>& package_names(const Target& target,
                                              const std::vector<std::string>& own);

struct PackageVariantSetSpec {
  std::optional<Upstream> upstream;
  /// An empty list asks for no variants; an absent list is an error.
  std::optional<std::vector<Target>> targets;
  /// Portico only: "on" (default) or "off"; see the rules for deletion in variants/set_plan.h.
  std::string deletion_guard;
  bool operator==(const PackageVariantSetSpec&) const = default;

  std::span<const Target> target_list() const {
    return targets ? std::span<const Target>(*targets) : std::span<const Target>();
  }
};

/// Portico only: the number of variants by health.
struct TargetCounts {
  std::int64_t desired = 0, ready = 0, waiting = 0, failed = 0;
  bool operator==(const TargetCounts&) const = default;
};
struct TargetFailure {
  std::string repo, package, message;
  bool operator==(const TargetFailure&) const = default;
};

struct PackageVariantSetStatus {
  std::int64_t observed_generation = 0;
  std::vector<Condition> conditions;  // the types are in meta.h
  std::optional<TargetCounts> targets;
  std::vector<TargetFailure> failures;  // the first 20
  std::optional<Retry> retry;
  bool operator==(const PackageVariantSetStatus&) const = default;
};

struct PackageVariantSet {
  ObjectMeta metadata;
  PackageVariantSetSpec spec;
  PackageVariantSetStatus status;
  bool operator==(const PackageVariantSet&) const = default;
};

/// The errors in `spec`, in Porch's wording and order; empty if it is valid.
std::vector<Cause> validate(const PackageVariantSetSpec& spec);

}  // namespace portico::api
