// What readers see: the table, the window of events, and the watches over it.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/monitor.h"
#include "registry/registry.h"
#include "store/internal/table.h"
#include "store/internal/transaction.h"

namespace portico::store {

/// Everything in it is durable. Changed by the writer alone, read by any thread.
struct HubState {
  Table table;
  struct Entry {
    registry::Event event;
    krm::GroupKind type;
  };
  /// window[i] has version compacted + 1 + i.
  std::deque<Entry> window;
  registry::ResourceVersion compacted = 0;
  bool closed = false;

  registry::ResourceVersion version() const { return compacted + window.size(); }
};

using Hub = Monitor<HubState>;

/// Versions to take out of the log when the `count` oldest events leave the window: what each of
/// them superseded, and the deletions.
std::vector<registry::ResourceVersion> superseded_by(const std::deque<HubState::Entry>& window,
                                                     std::size_t count);

/// Applies events to the table, adds them to the window and drops its `forget` oldest.
void publish(Hub& hub, std::vector<Logged> log, std::size_t forget);

std::unique_ptr<registry::Watch> watch_hub(std::shared_ptr<Hub> hub,
                                           std::vector<krm::GroupKind> types,
                                           registry::ResourceVersion from);

}  // namespace portico::store
