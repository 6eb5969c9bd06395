// Waiting until objects say that all is done, for somebody who does not know the controllers: they
// are in other processes, and may be in several.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "base/clock.h"
#include "base/result.h"
#include "controllers/plan.h"
#include "engine/standing.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::engine {

/// A copy of a fleet's Repositories, package revisions, variants and sets; with a version as they
/// were then, kNotFound, Reason::kExpired, where that is no longer kept.
Result<std::unique_ptr<registry::Registry>> copy_of_fleet(
    const registry::Registry& registry, std::optional<registry::ResourceVersion> version = {});

struct Settling {
  std::set<krm::ObjectKey> asked{};  // what is waited for, with what follows from it; none: all
  bool repositories = true;          // controllers::Outstanding
  /// What is compared with at the end (copy_of_fleet()); null: what is there when the wait begins.
  const registry::Registry* before = nullptr;
  /// Called a few times a second from this thread.
  std::function<void(const Standing&)> report = [](const Standing&) {};
  /// True ends the wait: kUnavailable.
  std::function<bool()> given_up = [] { return false; };
};

/// Waits until nothing is left to do (controllers/outstanding.h), what failed and is tried again
/// soon included, and says what came of it meanwhile. `registry` is a copy that follows what is
/// written elsewhere, and has been told of what was asked for.
Result<controllers::Plan> wait_for_objects(registry::Registry& registry, const Clock& clock,
                                           const Settling& settling);

}  // namespace portico::engine
