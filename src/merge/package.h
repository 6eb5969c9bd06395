// Merges three versions of a package.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "krm/package.h"
#include "merge/tree.h"

namespace portico::merge {

/// The three versions: the upstream that the local package was made from, the new upstream, and the
/// local package. Borrowed for the duration of a call.
struct Versions {
  const krm::Package& base;
  const krm::Package& theirs;
  const krm::Package& ours;
};

struct PackageOptions {
  OnConflict on_conflict = OnConflict::kUpstream;
  /// The package itself is being upgraded: its Kptfile keeps its upstream. A subpackage instead
  /// takes over the upstream of its new version, and does not change if the local version has
  /// another upstream.
  bool is_root = true;
  /// The versions are builds of one package, each with its upstream, context and pipeline. A
  /// Kptfile is then merged completely, and a subpackage is merged as plain content, whatever its
  /// upstream; a subpackage that both sides added is merged as well.
  bool builds = false;
};

struct MergedPackage {
  krm::Package package;
  std::vector<Conflict> conflicts;  // sorted by file
};

/// kpt's resource-merge of a package and of its subpackages without an upstream of their own.
/// Subpackages with one do not change.
/// - Resources are paired by group, kind and upstream name (upstream_identity), within a file
///   first, then across files where that is unambiguous: a resource that one side moved or renamed
///   is still merged.
/// - Added upstream: added. Removed upstream: removed if unchanged locally, else kept and reported.
///   Removed locally: stays removed, and reported if upstream changed it.
/// - A resource that is unchanged locally becomes the upstream text. So does a whole file that is
///   unchanged locally, including nulls and the order of resources, and a Kptfile, except for the
///   fields that a package keeps. A file without changes keeps its bytes. Otherwise see
///   merge_object.
/// - Files that are not YAML, do not parse, or hold several documents that are not resources: taken
///   from upstream if unchanged locally, else kept and reported. The file mode is merged as a
///   value.
/// - A subpackage that both sides added is an error. A subpackage that upstream removed is removed
///   if it is unchanged locally.
/// Also kInvalid if one file of one side has two resources with the same identity.
Result<MergedPackage> resource_merge(const Versions& versions, const PackageOptions& options);

/// Whether two packages hold the same files, apart from merge keys.
bool same_content(const krm::Package& a, const krm::Package& b);

}  // namespace portico::merge
