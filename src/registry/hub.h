// What readers see: the store's current state, its successor after each write, and watches.
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

/// The position of a watch. Changed by the watch's thread while that runs, by the writer while
/// armed.
struct Place {
  struct Now {
    ResourceVersion seen = 0;  // events up to here have been returned
    bool armed = false;        // no event after `seen` matches; the writer wakes it when one does
    bool stopped = false;
  };

  Query query;
  Selector selector;
  OnReady on_ready;
  Monitor<Now> now;
};

/// Holds the current state and the watches to wake. Readers take the state and hold no lock while
/// they read. A write wakes only the armed watches that it concerns: they are indexed by the kind,
/// namespace and name they select.
class Hub {
 public:
  explicit Hub(State state);

  std::shared_ptr<const State> state() const;
  /// Called only by the writer.
  void publish(State next);
  /// Ends all watches.
  void close();

  void add(Place& place);
  void remove(Place& place);
  enum class Armed { kYes, kThereIsMore, kClosed };
  /// For a watch that has seen every event: from now on the writer wakes it.
  Armed arm(Place& place);
  ResourceVersion version_of(const Place& place) const;

 private:
  struct Watchers {
    std::map<krm::ObjectKey, std::vector<Place*>> places;  // "" in a field of the key: any
    ResourceVersion told = 0;                              // of all events up to this version
    bool closed = false;

    void tell(const State::Entry& entry);
  };

  Guarded<std::shared_ptr<const State>> state_;
  Guarded<Watchers> watchers_;
};

/// The watch may outlive every other holder of the hub.
std::unique_ptr<Watch> watch_hub(std::shared_ptr<Hub> hub, const Query& query, ResourceVersion from,
                                 OnReady on_ready);

}  // namespace portico::registry
