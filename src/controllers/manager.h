// Runs the controllers: one watch over the store, an index from events to keys, a queue and workers
// for each kind.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "drafts/drafts.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::controllers {

struct ManagerOptions {
  registry::Registry& registry;
  packages::PackageStore& packages;
  drafts::Drafts& drafts;
  const Clock& clock;
  Log& log;
  int workers = 16;  // for variants; they mostly wait for disks, so more than processors
  /// How often repositories are looked at for changes made by others; zero: only when told.
  std::chrono::seconds resync{0};
  packages::Actor actor{"Portico", "portico@localhost"};
};

struct Progress {
  std::size_t waiting = 0;  // keys that are to be looked at
  std::size_t running = 0;
  std::size_t delayed = 0;     // failed, and to be tried again later
  std::size_t reconciled = 0;  // since start
};

class Manager {
 public:
  static std::unique_ptr<Manager> make(const ManagerOptions& options);
  virtual ~Manager() = default;  // stops

  /// Looks at every object once, then at what events concern.
  virtual Result<Done> start() = 0;
  /// Finishes what is running and starts nothing more.
  virtual void stop() = 0;

  /// Until all events are seen and no key is left but delayed ones: true. False after `limit`.
  /// `report` is called a few times a second from this thread.
  virtual bool wait_settled(std::chrono::milliseconds limit,
                            const std::function<void(const Progress&)>& report) = 0;
  virtual Progress progress() const = 0;
};

}  // namespace portico::controllers
