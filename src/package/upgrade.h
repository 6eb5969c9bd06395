// A package moves to a new version of its upstream.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "json/value.h"
#include "krm/package.h"
#include "merge/package.h"
#include "merge/strategy.h"

namespace portico::package {

/// What Porch's upgrade task does (seed 000, "the equivalent of a kpt pkg update").
struct UpgradeRequest {
  krm::Package base;    // the upstream revision that `ours` was made from; empty: none
  krm::Package theirs;  // the new upstream revision
  krm::Package ours;    // the local package, its Kptfile at the root
  merge::Strategy strategy = merge::Strategy::kResourceMerge;
  merge::OnConflict on_conflict = merge::OnConflict::kUpstream;
  /// For the root Kptfile, as they stand there ({type, git: {repo, directory, ref}}, with `commit`
  /// in the lock); what is not given stays.
  std::optional<json::Value> upstream, upstream_lock;
  /// Mark the resources as kpt does after an update (merge::add_merge_key).
  bool add_merge_keys = true;
  /// See merge::StrategyOptions.
  std::string name;
};

/// The new content and what was not clear. Subpackages with an upstream of their own follow the
/// version that comes with the parent's new upstream; nothing is fetched. kInvalid for what the
/// strategy refuses, for a Kptfile that does not parse, and for a subpackage that both sides added.
Result<merge::MergedPackage> upgrade(const UpgradeRequest& request);

}  // namespace portico::package
