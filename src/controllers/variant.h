// The PackageVariant controller: observe, decide, execute, status, until nothing is left to do.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "controllers/decoded.h"
#include "controllers/reach.h"
#include "drafts/drafts.h"
#include "packages/package_store.h"
#include "registry/registry.h"
#include "work/next_look.h"

namespace portico::controllers {

/// One variant, all steps that can be done now. The error that stopped it, which stands in its
/// conditions too; where that is a repository that others have found not to answer (reach.h), it is
/// not tried, and the next look is when somebody may. Never call it for one key from two threads.
Result<work::NextLook> reconcile_variant(const krm::ObjectKey& key, registry::Registry& registry,
                                         packages::PackageStore& packages, drafts::Drafts& drafts,
                                         Caches& caches, Reach& reach, const Clock& clock,
                                         const packages::Actor& actor);

}  // namespace portico::controllers
