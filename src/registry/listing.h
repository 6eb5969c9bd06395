// Lists of the current state or an earlier one, with paging.
#pragma once

#include "base/result.h"
#include "registry/registry.h"
#include "registry/state.h"

namespace portico::registry {

/// Implements Registry::list. An earlier version is reconstructed by undoing the events since,
/// which costs O(events since) on top of the listed objects.
Result<Listing> list(const State& state, const Query& query);

}  // namespace portico::registry
