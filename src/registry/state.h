// The store at one version.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/persistent_map.h"
#include "base/result.h"
#include "registry/registry.h"
#include "registry/table.h"

namespace portico::registry {

/// All of it is durable, and immutable once published: readers hold no lock on it, and the writer
/// makes the next one from a copy, which shares what did not change.
struct State {
  struct Entry {
    Event event;
    krm::ObjectKey key;
  };

  Table table;
  /// The retained events, by version: compacted + 1, compacted + 2, ...
  PersistentMap<ResourceVersion, std::shared_ptr<const Entry>> window;
  ResourceVersion compacted = 0;

  ResourceVersion version() const { return compacted + window.size(); }
  /// kNotFound, Reason::kExpired, if the state at `version` or the events after it are not
  /// available.
  Result<Done> check_kept(ResourceVersion version) const;

  void append(Event event, krm::ObjectKey key);
  /// Drops the `count` oldest events.
  void forget(std::size_t count);
};

/// The versions to remove from the log when the `count` oldest events leave the window: those that
/// the events superseded, and the deletions.
std::vector<ResourceVersion> superseded_by(const State& state, std::size_t count);

}  // namespace portico::registry
