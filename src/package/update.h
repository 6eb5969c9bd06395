// kpt's `pkg get` and `pkg update`: a package on disk and the git repositories that it came from.
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

/// One version of a package out of a repository.
struct Fetched {
  krm::Package package;
  std::string commit;
  std::string ref = {};  // as it was resolved ("web/v2" of "v2"); "": as it was asked for
};
/// The package at the location's commit, or where that is empty at its ref. kNotFound for what is
/// not there.
using Fetch = std::function<Result<Fetched>(const krm::GitLocation& where)>;

/// One package that was fetched: the root "", or a subpackage.
struct Step {
  std::string folder;
  std::string strategy;               // "" where it was fetched for the first time
  std::string from_ref, from_commit;  // "" where it was not fetched before
  std::string to_ref, to_commit;
  bool operator==(const Step&) const = default;
};

struct Updated {
  merge::MergedPackage merged;
  std::vector<Step> steps;  // in the order in which it was done
};

struct UpdateRequest {
  krm::Package ours;
  std::string ref;                          // "": what the Kptfile says
  std::optional<merge::Strategy> strategy;  // nothing: what the Kptfile says
  merge::OnConflict on_conflict = merge::OnConflict::kUpstream;
  Fetch fetch;
  std::string name;  // of the folder that the package is in
};

/// `kpt pkg update` of the package at the root of `ours`: updates the package, then each subpackage
/// with an upstream of its own by its own Kptfile, and so on downwards. Such a subpackage moves to
/// `ref` too where it comes from the same repository and directory tree and had the package's old
/// ref. Writes upstreamLock where something was fetched.
Result<Updated> update(const UpdateRequest& request);

struct GetRequest {
  krm::GitLocation from;  // repo, directory and ref, as the Kptfile is to say
  merge::Strategy strategy = merge::Strategy::kResourceMerge;
  std::string name;             // of the new package
  bool for_deployment = false;  // with a package context
  Fetch fetch;
};

/// `kpt pkg get`: the upstream package with a Kptfile (made where it has none) that says its new
/// name and where it came from, its resources marked; then the subpackages that have an upstream
/// and were never fetched.
Result<Updated> get(const GetRequest& request);

/// The upstream package `theirs` as it is after it was fetched, and changed by nobody: what local
/// changes are to be compared with. `ours` gives the name and what upstream and upstreamLock say.
Result<krm::Package> as_fetched(krm::Package theirs, const krm::Package& ours);

}  // namespace portico::package
