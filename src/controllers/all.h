// The controllers of the program, one for each kind.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "controllers/controller.h"
#include "controllers/observer.h"
#include "controllers/reach.h"
#include "controllers/share.h"
#include "drafts/drafts.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::controllers {

/// What they work on; it must outlive them.
struct World {
  registry::Registry& registry;
  packages::PackageStore& packages;
  drafts::Drafts& drafts;
  /// Fed by `packages` and what `drafts` saves to (reporting_to()); else every repository answers.
  Reach& reach;
  const Clock& clock;
  int workers = 32;  // for variants; they mostly wait for disks, so more than processors
  /// How often a repository is looked at for changes made by others; zero: only when told. What a
  /// person has to mend elsewhere is tried again at this pace, too (slow_back_off()).
  std::chrono::seconds resync{0};
  /// What of all this is to be done here; null: everything.
  Share* share = nullptr;
  /// True: errors are no news, as they come from stopping.
  std::function<bool()> stopped = [] { return false; };
  packages::Actor actor{"Portico", "portico@localhost"};
  Observer* observer = nullptr;  // is told what they do
};

/// As often as others' changes are looked for, and then up to ten times more rarely.
work::BackOff slow_back_off(const World& world);

std::vector<std::unique_ptr<Controller>> all_controllers(const World& world);
/// Those of all_controllers() that keep package revisions as repositories have them: a server's.
std::vector<std::unique_ptr<Controller>> repository_controllers(const World& world);
/// The others: those of variants, sets and of approvals by policy. A server with
/// repository_controllers() and a process with these do together what all_controllers() do.
std::vector<std::unique_ptr<Controller>> fleet_controllers(const World& world);

}  // namespace portico::controllers
