// Arrow 2 of docs/life-of-a-variant.md: reads all inputs of a set's decision from the store at one
// point in time.
#pragma once

#include <optional>

#include "base/result.h"
#include "controllers/decoded.h"
#include "registry/registry.h"
#include "variants/set_decide.h"
#include "variants/set_snapshot.h"

namespace portico::controllers {

/// The set, its variants and the objects that its targets select; no other objects of the namespace
/// are read. nullopt if the set is gone. An error if any list failed: a partial list is never used
/// as a complete one.
Result<std::optional<variants::SetSnapshot>> observe_set(const krm::ObjectKey& key,
                                                         const registry::Registry& registry,
                                                         Caches& caches);

/// Decides about an observed set. Objects that the decision asks for are read until it has all it
/// needs.
Result<variants::SetDecision> decide_observed(variants::SetSnapshot& snapshot,
                                              const Result<variants::CompiledSet>& compiled,
                                              const registry::Registry& registry);

/// Only the set and its own variants, which is enough to count them. No other variants are read.
Result<std::optional<variants::SetSnapshot>> observe_variants_of(const krm::ObjectKey& key,
                                                                 const registry::Registry& registry,
                                                                 Caches& caches);

}  // namespace portico::controllers
