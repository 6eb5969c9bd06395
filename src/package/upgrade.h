// Upgrades a package to a new version of its upstream.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "json/value.h"
#include "krm/package.h"
#include "merge/package.h"
#include "merge/strategy.h"

namespace portico::package {

/// Implements Porch's upgrade task (seed 000, "the equivalent of a kpt pkg update").
struct UpgradeRequest {
  krm::Package base;    // the upstream revision that `ours` was made from; empty: none
  krm::Package theirs;  // the new upstream revision
  krm::Package ours;    // the local package, its Kptfile at the root
  merge::Strategy strategy = merge::Strategy::kResourceMerge;
  merge::OnConflict on_conflict = merge::OnConflict::kUpstream;
  /// For the root Kptfile, in its format ({type, git: {repo, directory, ref}}, plus `commit` in the
  /// lock); absent ones stay unchanged.
  std::optional<json::Value> upstream, upstream_lock;
  /// Whether to mark the resources as kpt does after an update (merge::add_merge_key).
  bool add_merge_keys = true;
  /// See merge::StrategyOptions.
  std::string name;
};

/// The new content and the conflicts. Subpackages with their own upstream follow the version in the
/// parent's new upstream; nothing is fetched. kInvalid for what the strategy rejects, for a Kptfile
/// that does not parse, and for a subpackage that both sides added.
Result<merge::MergedPackage> upgrade(const UpgradeRequest& request);

}  // namespace portico::package
