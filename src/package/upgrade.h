// A package moves to a new version of its upstream.
#pragma once

#include <functional>
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

/// One version of a package out of a repository.
struct Fetched {
  krm::Package package;
  std::string commit;
};
/// Fetches what `git` says: {repo, directory, ref}, or {repo, directory, commit}. kNotFound for
/// what is not there.
using Fetch = std::function<Result<Fetched>(const json::Value& git)>;

/// `kpt pkg update` of the package at the root of `ours`.
struct UpdateRequest {
  krm::Package ours;
  std::string ref;                          // "": what the Kptfile says
  std::optional<merge::Strategy> strategy;  // nothing: what the Kptfile says
  merge::OnConflict on_conflict = merge::OnConflict::kUpstream;
  Fetch fetch;
  std::string name;  // of the folder that the package is in
};

/// Updates the package, then each subpackage with an upstream of its own by its own Kptfile, and so
/// on downwards. Such a subpackage moves to `ref` too where it comes from the same repository and
/// directory tree and had the package's old ref. Writes upstreamLock where something was fetched.
Result<merge::MergedPackage> update(const UpdateRequest& request);

}  // namespace portico::package
