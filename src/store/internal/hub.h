// What readers see: the store's state, the next one when something was written, and watches.
#pragma once

#include <memory>
#include <vector>

#include "base/monitor.h"
#include "registry/registry.h"
#include "store/internal/state.h"

namespace portico::store {

/// The state that is current.
class Hub {
 public:
  explicit Hub(State state) : now_(Now{std::make_shared<const State>(std::move(state)), false}) {}

  std::shared_ptr<const State> state() const;
  void publish(State next);
  /// Ends the watches.
  void close();

  /// The watch may outlive everybody else who holds the hub.
  static std::unique_ptr<registry::Watch> watch(std::shared_ptr<Hub> hub,
                                                std::vector<krm::GroupKind> types,
                                                registry::ResourceVersion from);

 private:
  friend class HubWatch;
  struct Now {
    std::shared_ptr<const State> state;
    bool closed = false;
  };
  Monitor<Now> now_;
};

}  // namespace portico::store
