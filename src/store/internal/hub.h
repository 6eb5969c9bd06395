// What readers see: the table, the window of events, and the watches over it.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/monitor.h"
#include "store/internal/table.h"
#include "store/internal/transaction.h"
#include "store/registry.h"

namespace portico::store {

/// Everything in it is durable. Changed by the writer alone, read by any thread.
struct HubState {
  Table table;
  struct Entry {
    Event event;
    krm::GroupKind type;
  };
  /// window[i] has version compacted + 1 + i.
  std::deque<Entry> window;
  ResourceVersion compacted = 0;
  bool closed = false;

  ResourceVersion version() const { return compacted + window.size(); }
};

using Hub = Monitor<HubState>;

/// Versions to take out of the log when the `count` oldest events leave the window: what each of
/// them superseded, and the deletions.
std::vector<ResourceVersion> superseded_by(const std::deque<HubState::Entry>& window,
                                           std::size_t count);

/// Applies events to the table, adds them to the window and drops its `forget` oldest.
void publish(Hub& hub, std::vector<Logged> log, std::size_t forget);

std::unique_ptr<Watch> watch_hub(std::shared_ptr<Hub> hub, std::vector<krm::GroupKind> types,
                                 ResourceVersion from);

}  // namespace portico::store
