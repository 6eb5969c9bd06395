// What readers see: the store's state, the next one when something was written, and watches.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/monitor.h"
#include "krm/meta.h"
#include "registry/registry.h"
#include "registry/selector.h"
#include "registry/state.h"

namespace portico::registry {

/// Where a watch is. Changed by its own thread while that runs, by the writer while it is armed.
struct Place {
  struct Now {
    ResourceVersion seen = 0;  // what came up to here is handed out
    bool armed = false;  // nothing after `seen` concerns it; the writer says when something does
    bool stopped = false;
  };

  Query query;
  Selector selector;
  OnReady on_ready;
  Monitor<Now> now;
};

/// The state that is current, and who is to be told of the next. Readers take the state and hold no
/// lock while they read. A write wakes the armed watches that it concerns and no others: they are
/// kept by the kind, namespace and name that they ask for.
class Hub {
 public:
  explicit Hub(State state);

  std::shared_ptr<const State> state() const;
  /// By the writer alone.
  void publish(State next);
  /// Ends the watches.
  void close();

  void add(Place& place);
  void remove(Place& place);
  enum class Armed { kYes, kThereIsMore, kClosed };
  /// For a place that has seen all there was: from here on the writer wakes it.
  Armed arm(Place& place);
  ResourceVersion version_of(const Place& place) const;

 private:
  struct Watchers {
    std::map<krm::ObjectKey, std::vector<Place*>> places;  // "" in a key's place: any
    ResourceVersion told = 0;                              // of all events up to here
    bool closed = false;

    void tell(const State::Entry& entry);
  };

  Guarded<std::shared_ptr<const State>> state_;
  Guarded<Watchers> watchers_;
};

/// The watch may outlive everybody else who holds the hub.
std::unique_ptr<Watch> watch_hub(std::shared_ptr<Hub> hub, const Query& query, ResourceVersion from,
                                 OnReady on_ready);

}  // namespace portico::registry
