// Kptfiles are merged by rules of their own.
#pragma once

#include "base/result.h"
#include "krm/object.h"
#include "merge/tree.h"

namespace portico::merge {

struct KptfileOptions {
  OnConflict on_conflict = OnConflict::kUpstream;
  /// Take `upstream` and `upstreamLock` from the new upstream where it has them, unless people gave
  /// the package another upstream than its old version had: right for a subpackage; for the package
  /// that is upgraded the upgrade itself sets them.
  bool take_upstream = false;
  /// Builds of one package: name, upstream and upstreamLock are merged, too. Conditions and
  /// readiness gates are paired by type, functions by name, and each without a name by what it runs
  /// or, where that is not enough, by all that it says.
  bool builds = false;
};

/// Brings what changed from `base` to `theirs` into `ours`, as kpt does (kptfileutil): name,
/// namespace, upstream and upstreamLock are not merged. Functions of a pipeline are paired by name;
/// where no function of any version has one, by what they run; where one pipeline runs one thing
/// twice without names, the list is taken as a whole. A nullptr is a Kptfile that is not there.
Result<Merged> merge_kptfile(const krm::Object* base, const krm::Object* theirs,
                             const krm::Object& ours, const KptfileOptions& options);

/// Without status.renderStatus and the condition "Rendered": what a render said of content that is
/// no longer there. A status that is left empty goes.
Result<Done> clear_render_status(krm::Object& kptfile);

}  // namespace portico::merge
