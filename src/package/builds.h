// Builds of a package: detects the edits that users made to one, and carries them over to the next.
#pragma once

#include <vector>

#include "base/result.h"
#include "krm/package.h"
#include "merge/differences.h"
#include "merge/package.h"
#include "merge/strategy.h"

namespace portico::package {

// A pristine build of a variant is what its inputs yield without any edits by users: clone of the
// upstream, context, pipeline, injection, render.

/// The edits that users made to the pristine build that `ours` came from: merge::differences,
/// without lost merge keys and without the parts of the Kptfile that the build and a render write
/// (upstream, upstreamLock, functions named PackageVariant.*, conditions and gates of injection,
/// the condition "Rendered", renderStatus). Empty if there are no edits apart from comments and
/// layout.
std::vector<merge::Difference> local_edits(const krm::Package& base, const krm::Package& ours);

struct MergeBuilds {
  krm::Package base;    // the pristine build that `ours` came from; empty: unknown
  krm::Package theirs;  // the pristine build of the current inputs
  krm::Package ours;    // the package with the users' edits
  merge::Strategy strategy = merge::Strategy::kResourceMerge;
  merge::OnConflict on_conflict = merge::OnConflict::kUpstream;
};

/// Applies the users' edits to the new build. The parts of the Kptfile that a build writes are
/// taken from `theirs`, and conditions and gates of injection points that are not in the result are
/// removed. The result is not rendered: if there were edits, the pipeline has to run again.
/// - No local edits: `theirs`, byte for byte (but kResourceMerge also keeps comments by users).
/// - kResourceMerge: merge::resource_merge, including subpackages with their own upstream.
/// - kFastForward: kInvalid, naming the edits, if there are any.
/// - kForceDeleteReplace: `theirs`.
/// - kCopyMerge: files of `theirs` replace those of `ours`, and the Kptfile is merged. A file that
///   `theirs` has removed is deleted, or kept and reported if it was edited. Other files stay.
/// kInvalid also for a Kptfile that does not parse, and for conflicts under OnConflict::kFail.
Result<merge::MergedPackage> merge_builds(const MergeBuilds& builds);

}  // namespace portico::package
