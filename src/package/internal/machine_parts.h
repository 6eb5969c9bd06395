// What programs write into a package: nobody's edit, whatever it says.
#pragma once

#include "base/result.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::package::internal {

/// `kptfile` with what a variant's build and a render write (upstream, upstreamLock, functions of
/// variants in the pipeline, conditions and gates of injection, the condition "Rendered" and
/// renderStatus) as `base` has it. Conditions and gates of injection that neither `base` nor
/// `theirs` has stay: of a point that was added here. Without `theirs` they go. Nothing else
/// changes, and no byte where the two agree.
Result<krm::Object> with_machine_parts(krm::Object kptfile, const krm::Object& base,
                                       const krm::Object* theirs);

/// Where a variant put other functions into the pipeline than before (`base`, `theirs`), they stand
/// in front, in the order of `theirs`; those of people may have come between them. Where it did
/// not, people's order stays.
Result<Done> put_variant_functions_first(krm::Object& kptfile, const krm::Object& base,
                                         const krm::Object& theirs);

/// `package` with the merge keys of `base` where its resources lost theirs: a program that keeps no
/// comments, or a package that somebody made without.
Result<krm::Package> with_merge_keys_of(krm::Package package, const krm::Package& base);

}  // namespace portico::package::internal
