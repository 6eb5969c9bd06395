// The PackageVariant controller: observe, decide, execute, status, until nothing is left to do.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "controllers/decoded.h"
#include "registry/registry.h"
#include "revisions/revisions.h"

namespace portico::controllers {

/// One variant, all steps that can be done now. The error that stopped it, which stands in its
/// conditions too. Never call it for one key from two threads.
Result<Done> reconcile_variant(const krm::ObjectKey& key, registry::Registry& registry,
                               revisions::Revisions& revisions, Caches& caches, const Clock& clock,
                               const revisions::Actor& actor);

}  // namespace portico::controllers
