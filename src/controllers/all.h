// The controllers of the program, one per kind.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "controllers/controller.h"
#include "controllers/observer.h"
#include "controllers/repository_health.h"
#include "controllers/share.h"
#include "drafts/drafts.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::controllers {

/// The dependencies of the controllers. All must outlive them.
struct World {
  registry::Registry& registry;
  packages::PackageStore& packages;
  drafts::Drafts& drafts;
  /// Fed by `packages` and by the store that `drafts` saves to (reporting_to()); without those
  /// reports every repository counts as answering.
  RepositoryHealth& repository_health;
  const Clock& clock;
  int workers = 32;  // for variants; they mostly wait for disks, so more than processors
  /// How often each repository is polled for changes made outside Portico; zero: only events
  /// trigger a sync. Errors that an operator has to fix elsewhere are retried at this pace, too
  /// (slow_back_off()).
  std::chrono::seconds resync{0};
  /// The part of the work that this process does; null: all of it.
  Share* share = nullptr;
  /// Events are deleted by a cluster, after an hour by default, and never by the controllers.
  bool events_expire = false;
  /// True during shutdown: errors are then not reported, because stopping causes them.
  std::function<bool()> stopped = [] { return false; };
  packages::Actor actor{"Portico", "portico@localhost"};
  Observer* observer = nullptr;  // receives what the controllers do
};

/// Starts at the polling interval and backs off to ten times that.
work::BackOff slow_back_off(const World& world);

std::vector<std::unique_ptr<Controller>> all_controllers(const World& world);
/// The subset of all_controllers() that keeps package revisions in line with the repositories: for
/// a server.
std::vector<std::unique_ptr<Controller>> repository_controllers(const World& world);
/// The others: variants, sets and approval by policy. A server with repository_controllers() and a
/// process with these together do the work of all_controllers().
std::vector<std::unique_ptr<Controller>> fleet_controllers(const World& world);

}  // namespace portico::controllers
