// Builds of a package: what people changed of one, and how that is brought to the next.
#pragma once

#include <vector>

#include "base/result.h"
#include "krm/package.h"
#include "merge/differences.h"
#include "merge/package.h"
#include "merge/strategy.h"

namespace portico::package {

// A pristine build of a variant is what its inputs make with nobody's edits: clone of the upstream,
// context, pipeline, injection, render.

/// What people changed of the pristine build that `ours` came from: merge::differences, without
/// lost merge keys and without what the build and a render write into the Kptfile (upstream,
/// upstreamLock, functions named PackageVariant.*, conditions and gates of injection, the condition
/// "Rendered", renderStatus). None: nobody edited it, comments and layout aside.
std::vector<merge::Difference> local_edits(const krm::Package& base, const krm::Package& ours);

struct MergeBuilds {
  krm::Package base;    // the pristine build that `ours` came from; empty: none is known
  krm::Package theirs;  // the pristine build of the inputs of today
  krm::Package ours;    // with people's edits
  merge::Strategy strategy = merge::Strategy::kResourceMerge;
  merge::OnConflict on_conflict = merge::OnConflict::kUpstream;
};

/// People's edits on top of the new build. What the build writes into the Kptfile is that of
/// `theirs`, and conditions and gates of injection points that are not in the result are not in its
/// Kptfile. Not rendered: where there were edits, the pipeline has to run once more.
/// - No local edits: `theirs`, byte for byte. (kResourceMerge brings along comments that people
///   wrote, too.)
/// - kResourceMerge: merge::resource_merge, subpackages with an upstream of their own included.
/// - kFastForward: kInvalid that names the edits where there are some.
/// - kForceDeleteReplace: `theirs`.
/// - kCopyMerge: files of `theirs` over those of `ours`. The Kptfile is merged. A file that
/// `theirs`
///   has no more goes, or stays and is reported where it was edited; all other files stay.
/// kInvalid also for a Kptfile that does not parse, and for OnConflict::kFail.
Result<merge::MergedPackage> merge_builds(const MergeBuilds& builds);

}  // namespace portico::package
