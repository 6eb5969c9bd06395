// What readers see: the state of the store, the next one when something was written, and watches.
#pragma once

#include <memory>
#include <vector>

#include "base/monitor.h"
#include "registry/registry.h"
#include "store/internal/persistent_map.h"
#include "store/internal/table.h"
#include "store/internal/transaction.h"

namespace portico::store {

/// The store at one version, all of it durable. Immutable once it is published, so that whoever
/// reads holds no lock over it; the writer makes the next one from a copy, which shares what did
/// not change.
struct State {
  struct Entry {
    registry::Event event;
    krm::ObjectKey key;
  };

  Table table;
  /// The events that are kept, by version: compacted + 1, compacted + 2, ...
  PersistentMap<registry::ResourceVersion, std::shared_ptr<const Entry>> window;
  registry::ResourceVersion compacted = 0;

  registry::ResourceVersion version() const { return compacted + window.size(); }

  void append(registry::Event event, krm::ObjectKey key);
  /// Drops the `count` oldest events.
  void forget(std::size_t count);
};

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

/// Versions to take out of the log when the `count` oldest events leave the window: what each of
/// them superseded, and the deletions.
std::vector<registry::ResourceVersion> superseded_by(const State& state, std::size_t count);

}  // namespace portico::store
