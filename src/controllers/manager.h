// Runs controllers: one watch over the store, a queue and workers for each kind.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "base/tracer.h"
#include "controllers/controller.h"
#include "registry/registry.h"
#include "work/worker_pool.h"

namespace portico::controllers {

struct ManagerOptions {
  registry::Registry& registry;
  Log& log;
  std::vector<std::unique_ptr<Controller>> controllers;  // all_controllers() (all.h)
  /// Is told how each look ended; null: what fails goes to the log as it is.
  work::PoolObserver* observer = nullptr;
  Tracer* tracer = nullptr;  // borrowed; may be null
  /// How long a key waits at most for the first look at what it rests on, and how long when
  /// meanwhile no such look begins or ends: then what is left hangs.
  std::chrono::milliseconds first_looks = std::chrono::seconds(5);
  std::chrono::milliseconds first_looks_hang = std::chrono::seconds(1);
  /// True ends wait_settled() early.
  std::function<bool()> stopped = [] { return false; };
};

struct Progress {
  std::size_t waiting = 0;  // keys that are to be looked at
  std::size_t running = 0;
  std::size_t delayed = 0;     // failed, and to be tried again later
  std::size_t reconciled = 0;  // since start
};

class Manager {
 public:
  static std::unique_ptr<Manager> make(ManagerOptions options);
  virtual ~Manager() = default;  // stops

  /// Looks at every object once, then at what events concern. Returns when all that is stored is
  /// known, before anything is done about it.
  virtual Result<Done> start() = 0;
  /// Finishes what is running and starts nothing more.
  virtual void stop() = 0;

  struct Wanted {
    std::chrono::milliseconds limit;
    /// What is waited for, with what follows from it (following.h); none: everything.
    std::set<krm::ObjectKey> asked{};
    /// With `asked`: the rest is waited for, too, unless for so long no look begins or ends. 0: it
    /// is not.
    std::chrono::milliseconds rest{0};
    /// With `asked`: what failed and is tried again soon is waited for, too, for the first few
    /// tries and at most so long (work::KeyQueue::is_retrying): that, and the Repositories that it
    /// reads.
    std::chrono::milliseconds patience = std::chrono::seconds(5);
    /// True ends the wait early, as ManagerOptions::stopped does.
    std::function<bool()> given_up = [] { return false; };
  };
  /// Until all events are seen and no key of what is wanted is left but delayed ones: true. False
  /// after `limit`, or soon after somebody stops it; then what is tried again is waited for no
  /// more.
  /// `report` is called a few times a second from this thread.
  virtual bool wait_settled(const Wanted& wanted,
                            const std::function<void(const Progress&)>& report) = 0;
  bool wait_settled(std::chrono::milliseconds limit,
                    const std::function<void(const Progress&)>& report) {
    return wait_settled(Wanted{.limit = limit}, report);
  }
  virtual Progress progress() const = 0;
  /// What failed and waits to be tried again, with what it said the last time. Its status may not
  /// tell: that may be what could not be written.
  virtual std::map<krm::ObjectKey, Error> failing() const = 0;
  /// What each queue and its workers are about.
  virtual std::vector<work::PoolState> queues() const = 0;
};

}  // namespace portico::controllers
