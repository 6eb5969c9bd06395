// kpt's `pkg get` and `pkg update`, for a package on disk and the git repositories it came from.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "krm/kptfile.h"
#include "krm/package.h"
#include "merge/package.h"
#include "merge/strategy.h"

namespace portico::package {

/// One version of a package, from a repository.
struct Fetched {
  krm::Package package;
  std::string commit;
  std::string ref = {};  // the resolved ref ("web/v2" for "v2"); "": the ref as requested
};
/// The package at the location's commit or, if that is empty, at its ref. kNotFound if it does not
/// exist.
using Fetch = std::function<Result<Fetched>(const krm::GitLocation& where)>;

/// One package that was fetched: the root (""), or a subpackage.
struct Step {
  std::string folder;
  std::string strategy;               // "" if it was fetched for the first time
  std::string from_ref, from_commit;  // "" if it had not been fetched before
  std::string to_ref, to_commit;
  bool operator==(const Step&) const = default;
};

struct Updated {
  merge::MergedPackage merged;
  std::vector<Step> steps;  // in order of execution
};

struct UpdateRequest {
  krm::Package ours;
  std::string ref;                          // "": as in the Kptfile
  std::optional<merge::Strategy> strategy;  // nullopt: as in the Kptfile
  merge::OnConflict on_conflict = merge::OnConflict::kUpstream;
  Fetch fetch;
  std::string name;  // of the folder that contains the package
};

/// `kpt pkg update` of the package at the root of `ours`: updates the package, then each subpackage
/// with its own upstream according to its own Kptfile, recursively. Such a subpackage also moves to
/// `ref` if it comes from the same repository and directory tree and had the package's old ref.
/// Writes upstreamLock where something was fetched.
Result<Updated> update(const UpdateRequest& request);

struct GetRequest {
  krm::GitLocation from;  // repo, directory and ref, as written to the Kptfile
  merge::Strategy strategy = merge::Strategy::kResourceMerge;
  std::string name;             // of the new package
  bool for_deployment = false;  // with a package context
  Fetch fetch;
};

/// `kpt pkg get`: the upstream package with a Kptfile (created if it has none) that has the new
/// name and the origin, and with marked resources; then the subpackages that have an upstream but
/// were never fetched.
Result<Updated> get(const GetRequest& request);

/// The upstream package `theirs` as it would be right after it was fetched: the reference for
/// detecting local changes. The name, upstream and upstreamLock are taken from `ours`.
Result<krm::Package> as_fetched(krm::Package theirs, const krm::Package& ours);

}  // namespace portico::package
