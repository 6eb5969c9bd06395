// A fork of a registry that follows some kinds only: the objects of other kinds are read where they
// are.
#pragma once

#include <functional>
#include <memory>
#include <set>

#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::engine {

struct PartialForkOptions {
  std::unique_ptr<registry::Registry> fork;
  std::set<krm::GroupKind> held;    // of these the fork has every object
  const registry::Registry& below;  // lists the other kinds, and outlives it
  /// Reads an object of another kind: one that may not be listed can be read so. Safe from any
  /// thread.
  std::function<Result<json::Value>(const krm::ObjectKey& key)> read;
};

/// Writes stay in the fork: of an object of another kind from then on what was written is there.
/// Watches tell of what the fork holds. As registry.h says else.
std::unique_ptr<registry::Registry> make_partial_fork(PartialForkOptions options);

}  // namespace portico::engine
