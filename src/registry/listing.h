// Lists: of a state, of an earlier one, and page by page.
#pragma once

#include "base/result.h"
#include "registry/registry.h"
#include "registry/state.h"

namespace portico::registry {

/// Registry::list. An earlier version is the state with the events since then undone, so it costs
/// O(events since) besides the objects that are listed.
Result<Listing> list(const State& state, const Query& query);

}  // namespace portico::registry
