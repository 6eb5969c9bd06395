// Merges Kptfiles, which have rules of their own.
#pragma once

#include "base/result.h"
#include "krm/object.h"
#include "merge/tree.h"

namespace portico::merge {

struct KptfileOptions {
  OnConflict on_conflict = OnConflict::kUpstream;
  /// Take `upstream` and `upstreamLock` from the new upstream where it has them, unless the local
  /// package has another upstream than the old version. Right for a subpackage; for the upgraded
  /// package, the upgrade itself sets them.
  bool take_upstream = false;
  /// The versions are builds of one package: name, upstream and upstreamLock are merged as well.
  /// Conditions and readiness gates are paired by type, functions by name. A function without a
  /// name is paired by what it runs or, where that is ambiguous, by its whole content.
  bool builds = false;
};

/// Applies the changes from `base` to `theirs` to `ours`, as kpt does (kptfileutil): name,
/// namespace, upstream and upstreamLock are not merged. Pipeline functions are paired by name;
/// where no function of any version has a name, by what they run; where a pipeline runs the same
/// thing twice without names, the list is taken as a whole. nullptr stands for a missing Kptfile.
Result<Merged> merge_kptfile(const krm::Object* base, const krm::Object* theirs,
                             const krm::Object& ours, const KptfileOptions& options);

/// Removes status.renderStatus and the condition "Rendered", which describe a render of content
/// that no longer exists. Removes the status if that leaves it empty.
Result<Done> clear_render_status(krm::Object& kptfile);

}  // namespace portico::merge
