// Three versions of a package become one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "krm/package.h"
#include "merge/tree.h"

namespace portico::merge {

/// The three versions: the upstream that the local package was made from, the new upstream, and the
/// local package. Borrowed for a call.
struct Versions {
  const krm::Package& base;
  const krm::Package& theirs;
  const krm::Package& ours;
};

struct PackageOptions {
  OnConflict on_conflict = OnConflict::kUpstream;
  /// The package itself was asked for: its Kptfile keeps its upstream. A subpackage takes over the
  /// upstream of its new version, and stays as it is where people gave it another one.
  bool is_root = true;
  /// The versions are builds of one package, each with its upstream, context and pipeline. A
  /// Kptfile is then merged as all that it says, and a subpackage as the content that it is,
  /// wherever it comes from; one that both sides added is merged, too.
  bool builds = false;
};

struct MergedPackage {
  krm::Package package;
  std::vector<Conflict> conflicts;  // by file
};

/// kpt's resource-merge of a package and of the subpackages without an upstream of their own;
/// subpackages with one stay as they are.
/// - Resources are paired by group, kind and upstream name (upstream_identity), in one file first,
///   then across files where that is unambiguous: what one side moved or renamed is still merged.
/// - Added upstream: added. Removed upstream: removed if unchanged here, else kept and reported.
///   Removed here: stays removed, and reported if upstream changed it.
/// - A resource that nobody changed here is the upstream text, and so is a whole file that nobody
///   changed, nulls and the order of resources included; a Kptfile, but for what a package keeps.
///   A file in which nothing changes keeps its bytes. See merge_object for the rest.
/// - Files that are no YAML, do not parse, or hold several documents that are no resources: taken
///   from upstream where unchanged here, else kept and reported. The file mode is merged as a
///   value.
/// - A subpackage that both sides added is an error; one that upstream removed goes if it is
///   unchanged here.
/// kInvalid also for two resources of one identity in one file of one side.
Result<MergedPackage> resource_merge(const Versions& versions, const PackageOptions& options);

/// Whether two packages hold the same files, merge keys aside.
bool same_content(const krm::Package& a, const krm::Package& b);

}  // namespace portico::merge
