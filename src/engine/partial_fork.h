// A fork of a registry that holds some kinds only; objects of other kinds are read from the
// original.
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
  std::set<krm::GroupKind> held;    // the kinds of which the fork has every object
  const registry::Registry& below;  // lists the other kinds; must outlive the fork
  /// Reads one object of another kind, which works for kinds that may not be listed. Thread-safe.
  std::function<Result<json::Value>(const krm::ObjectKey& key)> read;
};

/// Writes stay in the fork: once written, an object of another kind is read from the fork. Watches
/// cover only what the fork holds. Otherwise as in registry.h.
std::unique_ptr<registry::Registry> make_partial_fork(PartialForkOptions options);

}  // namespace portico::engine
