// The PackageVariant controller: observe, decide, execute and write the status until nothing is
// left to do.
#pragma once

#include "base/result.h"
#include "controllers/all.h"
#include "controllers/decoded.h"
#include "work/next_reconcile.h"
#include "work/run.h"

namespace portico::controllers {

/// Reconciles one variant, with all steps that are possible now. Returns the error that stopped it,
/// which is also in its conditions. If its repository is known not to answer (repository_health.h),
/// the step is not tried, and the next reconcile is when a try may be made. Must not run
/// concurrently for one key.
Result<work::NextReconcile> reconcile_variant(const krm::ObjectKey& key, const World& world,
                                              Caches& caches, const work::Run& run = {});

}  // namespace portico::controllers
