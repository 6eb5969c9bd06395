// The difference between two states of a fleet, expressed as controller actions.
#pragma once

#include <map>
#include <set>

#include "base/result.h"
#include "controllers/pending_work.h"
#include "controllers/plan.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::engine {

/// For `keys`, as decided now: the variants that sets created and deleted; the revisions of each
/// variant that appeared, changed or disappeared; what waits; and all failures. Steps that were
/// undone in between are not visible.
Result<controllers::Plan> what_changed(
    const registry::Registry& before, const registry::Registry& now,
    const std::map<krm::ObjectKey, controllers::PendingWork::Key>& keys,
    const std::set<krm::ObjectKey>& asked);

}  // namespace portico::engine
