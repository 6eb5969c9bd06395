// What a server keeps of some kinds, brought up to date when somebody needs it.
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

/// Safe from any thread. The callbacks are called by one thread at a time, in the order of events,
/// from within open() and catch_up().
class Following {
 public:
  struct Callbacks {
    /// The object as it is now. Of what is told for the first time, or again, each is put once.
    std::function<void(const json::Value& object)> put;
    std::function<void(const json::Value& object)> remove;
    /// All changes that there were have been told: time to show them to others. May be empty.
    std::function<void()> told = {};
  };

  static Result<std::unique_ptr<Following>> open(registry::Registry& registry,
                                                 std::vector<krm::GroupKind> kinds,
                                                 Callbacks callbacks);

  /// Returns when everything that was committed before the call has been told. Costs nothing where
  /// nothing was, and then waits for nobody.
  Result<Done> catch_up();

 private:
  Following(registry::Registry& registry, std::vector<krm::GroupKind> kinds, Callbacks callbacks);

  struct State {
    std::vector<std::unique_ptr<registry::Watch>> watches;
    std::map<krm::ObjectKey, json::Value> objects;  // that have been put
  };
  Result<Done> load(State& state);
  Result<Done> tell_all(State& state);
  Result<Done> tell(State& state);

  registry::Registry& registry_;
  std::vector<krm::GroupKind> kinds_;
  Callbacks callbacks_;
  std::atomic<bool> behind_ = true;    // there may be events that nobody has asked a watch for
  std::atomic<bool> telling_ = false;  // somebody is at it
  Guarded<State> state_;               // last: its watches call back until they are gone
};

}  // namespace portico::apiserver
