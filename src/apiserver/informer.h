// A server's in-memory copy of some kinds, brought up to date on demand.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Thread-safe. The callbacks run on one thread at a time, in the order of events, from within
/// open() and catch_up().
class Informer {
 public:
  struct Callbacks {
    /// The object as it is now. The first load, and each reload, puts every object once.
    std::function<void(const json::Value& object)> put;
    std::function<void(const json::Value& object)> remove;
    /// All pending changes have been delivered: publish the new state. May be empty.
    std::function<void()> told = {};
  };

  static Result<std::unique_ptr<Informer>> open(registry::Registry& registry,
                                                std::vector<krm::GroupKind> kinds,
                                                Callbacks callbacks);

  /// Returns when everything that was committed before the call has been delivered. If nothing is
  /// pending, it takes no lock and does not block.
  Result<Done> catch_up();

 private:
  Informer(registry::Registry& registry, std::vector<krm::GroupKind> kinds, Callbacks callbacks);

  struct State {
    std::vector<std::unique_ptr<registry::Watch>> watches;
    std::map<krm::ObjectKey, json::Value> objects;  // that have been passed to put
  };
  Result<Done> load(State& state);
  Result<Done> tell_all(State& state);
  Result<Done> apply_events(State& state);

  registry::Registry& registry_;
  std::vector<krm::GroupKind> kinds_;
  Callbacks callbacks_;
  std::atomic<bool> behind_ = true;    // there may be events that have not been read from a watch
  std::atomic<bool> telling_ = false;  // a thread is delivering
  Guarded<State> state_;               // last: its watches call back until they are destroyed
};

}  // namespace portico::apiserver
