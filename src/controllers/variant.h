// The PackageVariant controller: observe, decide, execute, status, until nothing is left to do.
#pragma once

#include "base/result.h"
#include "controllers/all.h"
#include "controllers/decoded.h"
#include "work/next_look.h"
#include "work/run.h"

namespace portico::controllers {

/// One variant, all steps that can be done now. The error that stopped it, which stands in its
/// conditions too; where that is a repository that others have found not to answer (reach.h), it is
/// not tried, and the next look is when somebody may. Never call it for one key from two threads.
Result<work::NextLook> reconcile_variant(const krm::ObjectKey& key, const World& world,
                                         Caches& caches, const work::Run& run = {});

}  // namespace portico::controllers
