// What came of a fleet between two moments, told as what controllers did.
#pragma once

#include <map>
#include <set>

#include "base/result.h"
#include "controllers/outstanding.h"
#include "controllers/plan.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::engine {

/// Of `keys`, as they are decided about now: the variants that sets have made and deleted, the
/// revisions that came, changed and went of each variant, what waits, and all that fails. Steps
/// that were made and undone between are not seen.
Result<controllers::Plan> what_changed(
    const registry::Registry& before, const registry::Registry& now,
    const std::map<krm::ObjectKey, controllers::Outstanding::Key>& keys,
    const std::set<krm::ObjectKey>& asked);

}  // namespace portico::engine
