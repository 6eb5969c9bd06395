// The parts of a package that programs write; they never count as edits by users.
#pragma once

#include "base/result.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::package::internal {

/// `kptfile` with the parts that a variant's build and a render write taken from `base`: upstream,
/// upstreamLock, functions of variants in the pipeline, conditions and gates of injection, the
/// condition "Rendered" and renderStatus. Conditions and gates of injection that are in neither
/// `base` nor `theirs` are kept, because they belong to a point that was added here; without
/// `theirs` they are removed. Nothing else changes, and where `kptfile` and `base` agree no byte
/// does.
Result<krm::Object> with_machine_parts(krm::Object kptfile, const krm::Object& base,
                                       const krm::Object* theirs);

/// If a variant's functions in the pipeline differ between `base` and `theirs`, moves them to the
/// front, in the order of `theirs`; users' functions may have come between them. Otherwise the
/// users' order is kept.
Result<Done> put_variant_functions_first(krm::Object& kptfile, const krm::Object& base,
                                         const krm::Object& theirs);

/// `package` with the merge keys of `base` restored where its resources lost them, for example to a
/// program that drops comments.
Result<krm::Package> with_merge_keys_of(krm::Package package, const krm::Package& base);

}  // namespace portico::package::internal
