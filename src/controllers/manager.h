// Runs controllers: one watch over the store, and a queue with workers for each kind.
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
  /// Receives the outcome of each reconcile; null: failures are logged unchanged.
  work::PoolObserver* observer = nullptr;
  Tracer* tracer = nullptr;  // borrowed; may be null
  /// `first_looks`: how long a key waits at most for the first reconcile of the keys it depends on.
  /// `first_looks_hang`: the waiting also ends when no such reconcile begins or ends for this long,
  /// because the rest is considered hung.
  std::chrono::milliseconds first_looks = std::chrono::seconds(5);
  std::chrono::milliseconds first_looks_hang = std::chrono::seconds(1);
  /// Returning true ends wait_settled() early.
  std::function<bool()> stopped = [] { return false; };
};

struct Progress {
  std::size_t waiting = 0;  // keys to reconcile
  std::size_t running = 0;
  std::size_t delayed = 0;     // failed, to be retried later
  std::size_t reconciled = 0;  // since start
};

class Manager {
 public:
  static std::unique_ptr<Manager> make(ManagerOptions options);
  virtual ~Manager() = default;  // stops

  /// Reconciles every object once, and from then on those that events concern. Returns when all
  /// stored objects are known, without waiting for their reconciles.
  virtual Result<Done> start() = 0;
  /// Lets running reconciles finish and starts no new ones.
  virtual void stop() = 0;

  struct Wanted {
    std::chrono::milliseconds limit;
    /// The objects to wait for, with everything that they affect (following.h); empty: wait for
    /// everything.
    std::set<krm::ObjectKey> asked{};
    /// With `asked`: also waits for everything else, until no reconcile has begun or ended for this
    /// long. 0: does not wait for the rest.
    std::chrono::milliseconds rest{0};
    /// With `asked`: also waits for failed keys that are retried soon, for the first few tries and
    /// at most this long (work::KeyQueue::is_retrying). This applies to those keys and to the
    /// Repositories that they read.
    std::chrono::milliseconds patience = std::chrono::seconds(5);
    /// Returning true ends the wait early, as ManagerOptions::stopped does.
    std::function<bool()> given_up = [] { return false; };
  };
  /// Returns true when all events have been delivered and no requested key is left except delayed
  /// ones. Otherwise returns false after `limit`, or soon after being stopped; this last check
  /// ignores pending retries. Calls `report` a few times a second, from this thread.
  virtual bool wait_settled(const Wanted& wanted,
                            const std::function<void(const Progress&)>& report) = 0;
  bool wait_settled(std::chrono::milliseconds limit,
                    const std::function<void(const Progress&)>& report) {
    return wait_settled(Wanted{.limit = limit}, report);
  }
  virtual Progress progress() const = 0;
  /// The keys that failed and wait for a retry, with their last error. The status may not show it,
  /// if writing the status is what failed.
  virtual std::map<krm::ObjectKey, Error> failing() const = 0;
  /// The state of each queue and its workers.
  virtual std::vector<work::PoolState> queues() const = 0;
};

}  // namespace portico::controllers
