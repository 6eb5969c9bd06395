// The interface that the manager runs for each kind: which events wake which keys, and how a key is
// reconciled.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "krm/meta.h"
#include "registry/registry.h"
#include "work/worker_pool.h"

namespace portico::controllers {

/// A key to reconcile, at once or after a delay.
struct Wake {
  krm::ObjectKey key;
  std::chrono::milliseconds after{0};
};

class Controller {
 public:
  virtual ~Controller() = default;

  struct Workers {
    std::string name;  // in log lines
    int count = 1;
    work::BackOff back_off{};
    work::BackOff slow = work::kSlowBackOff;  // as in work::PoolOptions
    work::LaneLimit lane_limit{};             // as in work::PoolOptions
    /// Its keys are reconciled once before the keys of other controllers that depend on them.
    bool before_others = false;
  };
  virtual Workers workers() const = 0;
  /// The keys, of controllers with `before_others`, that a decision about `object` depends on.
  /// Thread-safe.
  virtual std::vector<krm::ObjectKey> rests_on(const json::Value& object) const {
    (void)object;
    return {};
  }
  /// The lane in which a key waits. Thread-safe.
  virtual work::Lane lane_of(const krm::ObjectKey& key) const { return {key.ns, ""}; }

  /// The keys that an event concerns. A single thread delivers all events in order. Objects that
  /// exist at the start are delivered as added, ordered by kind, namespace and name.
  virtual std::vector<Wake> wake(const registry::Event& event) = 0;
  /// `wake_up` adds a key for a reason other than an event. It may be called from any thread while
  /// the controller exists. Called once, before any other function.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): those that override it keep it
  virtual void attach(std::function<void(const krm::ObjectKey&)> /*wake_up*/) {}

  /// As work::Reconcile.
  virtual Result<work::NextReconcile> reconcile(const krm::ObjectKey& key,
                                                const work::Run& run) = 0;
};

/// Whether anything besides the status changed.
bool more_than_status(const registry::Event& event);

/// Whether a field changed that decisions about other objects use. The status of a revision counts
/// because it is read from git: its location, its content and its origin. The status of a
/// Repository counts because it says whether the repository has been read and, after a failure,
/// when it is read again.
bool matters(const registry::Event& event);

}  // namespace portico::controllers
