// Arrow 2 of docs/life-of-a-variant.md: everything that decides what a set has to do, read from the
// store at one moment.
#pragma once

#include <optional>

#include "base/result.h"
#include "controllers/decoded.h"
#include "registry/registry.h"
#include "variants/set_decide.h"
#include "variants/set_snapshot.h"

namespace portico::controllers {

/// The set, its variants and what its targets select: of the others of its namespace nothing is
/// read. Nothing where the set is gone. An error where any of the lists failed: a partial list is
/// never taken for a whole one.
Result<std::optional<variants::SetSnapshot>> observe_set(const krm::ObjectKey& key,
                                                         const registry::Registry& registry,
                                                         Caches& caches);

/// The decision about a set that was observed; what it asks for is read until it knows enough.
Result<variants::SetDecision> decide_observed(variants::SetSnapshot& snapshot,
                                              const Result<variants::CompiledSet>& compiled,
                                              const registry::Registry& registry);

/// Only the set and its variants: what counting them takes. Nobody else's are read.
Result<std::optional<variants::SetSnapshot>> observe_variants_of(const krm::ObjectKey& key,
                                                                 const registry::Registry& registry,
                                                                 Caches& caches);

}  // namespace portico::controllers
