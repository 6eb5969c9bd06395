// What a server keeps of some kinds, brought up to date when somebody needs it.
#pragma once

#include <atomic>
#include <functional>
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
    /// Everything is thrown away: the objects that come next are all that there is.
    std::function<void()> reset;
    std::function<void(const json::Value& object)> put;
    std::function<void(const json::Value& object)> remove;
  };

  static Result<std::unique_ptr<Following>> open(registry::Registry& registry,
                                                 std::vector<krm::GroupKind> kinds,
                                                 Callbacks callbacks);

  /// Returns when everything that was committed before the call has been told. Costs nothing where
  /// nothing was.
  Result<Done> catch_up();

 private:
  Following(registry::Registry& registry, std::vector<krm::GroupKind> kinds, Callbacks callbacks);

  struct State {
    std::vector<std::unique_ptr<registry::Watch>> watches;
  };
  Result<Done> load(State& state);

  registry::Registry& registry_;
  std::vector<krm::GroupKind> kinds_;
  Callbacks callbacks_;
  std::atomic<bool> behind_ = true;
  Guarded<State> state_;  // last: its watches call back until they are gone
};

}  // namespace portico::apiserver
