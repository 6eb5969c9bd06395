// Waits until the objects' status shows that the work is done, without access to the controllers,
// which run in other processes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "base/clock.h"
#include "base/result.h"
#include "controllers/plan.h"
#include "engine/fleet_progress.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::engine {

/// A copy of a fleet's Repositories, package revisions, variants and sets; with `version`, as they
/// were then: kNotFound, Reason::kExpired, if that version is no longer kept.
Result<std::unique_ptr<registry::Registry>> copy_of_fleet(
    const registry::Registry& registry, std::optional<registry::ResourceVersion> version = {});

struct Settling {
  std::set<krm::ObjectKey> asked{};  // waits for these and what follows from them; empty: for all
  bool repositories = true;          // controllers::PendingWork
  /// The state to compare with at the end (copy_of_fleet()); null: the state when the wait begins.
  const registry::Registry* before = nullptr;
  /// Called a few times per second on this thread.
  std::function<void(const FleetProgress&)> report = [](const FleetProgress&) {};
  /// True ends the wait: kUnavailable.
  std::function<bool()> given_up = [] { return false; };
};

/// Waits until no work is left (controllers/pending_work.h), including failures that are retried
/// soon, and returns what was done meanwhile. `registry` is a copy that follows writes from
/// elsewhere; it must already include what was asked for.
Result<controllers::Plan> wait_for_objects(registry::Registry& registry, const Clock& clock,
                                           const Settling& settling);

}  // namespace portico::engine
