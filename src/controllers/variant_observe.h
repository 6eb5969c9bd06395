// Arrow 8 of docs/life-of-a-variant.md: reads all inputs of a variant's decision from the store at
// one point in time.
#pragma once

#include <optional>

#include "base/result.h"
#include "base/time.h"
#include "controllers/decoded.h"
#include "registry/registry.h"
#include "variants/variant_snapshot.h"

namespace portico::controllers {

/// nullopt if the variant is gone. `now` is the time against which waits are measured; with the
/// default no wait has ended.
Result<std::optional<variants::VariantSnapshot>> observe_variant(const krm::ObjectKey& key,
                                                                 const registry::Registry& registry,
                                                                 Caches& caches,
                                                                 TimePoint now = {});

}  // namespace portico::controllers
