// What the manager runs for each kind: what wakes its keys, and what is done for one.
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

/// A key to be looked at, at once or after a rest.
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
    /// Its keys are looked at once before those of others that rest on them.
    bool before_others = false;
  };
  virtual Workers workers() const = 0;
  /// The keys of controllers that come before others on which a decision about `object` rests.
  /// Safe from any thread.
  virtual std::vector<krm::ObjectKey> rests_on(const json::Value& object) const {
    (void)object;
    return {};
  }
  /// The lane in which a key waits. Safe from any thread.
  virtual work::Lane lane_of(const krm::ObjectKey& key) const { return {key.ns, ""}; }

  /// The keys that an event concerns. One thread tells of all events, in their order; what is there
  /// at the start is added, by kind, namespace and name.
  virtual std::vector<Wake> wake(const registry::Event& event) = 0;
  /// `wake_up` adds a key for another reason than an event, from any thread, as long as the
  /// controller lives. Called once, before all others.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): those that override it keep it
  virtual void attach(std::function<void(const krm::ObjectKey&)> /*wake_up*/) {}

  /// As work::Reconcile.
  virtual Result<work::NextLook> reconcile(const krm::ObjectKey& key, const work::Run& run) = 0;
};

/// Whether more than the status changed.
bool more_than_status(const registry::Event& event);

/// Whether what others decide on has changed. The status of a revision is what git says: where it
/// lies, what it holds and what it was made from. That of a Repository says whether it has been
/// read, and when it can be read again after it could not.
bool matters(const registry::Event& event);

}  // namespace portico::controllers
