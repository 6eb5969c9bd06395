// Arrow 8 of docs/life-of-a-variant.md: everything that decides what a variant has to do, read from
// the store at one moment.
#pragma once

#include <optional>

#include "base/result.h"
#include "base/time.h"
#include "controllers/decoded.h"
#include "registry/registry.h"
#include "variants/variant_snapshot.h"

namespace portico::controllers {

/// Nothing where the variant is gone. `now` is what waits are counted to: without it none is over.
Result<std::optional<variants::VariantSnapshot>> observe_variant(const krm::ObjectKey& key,
                                                                 const registry::Registry& registry,
                                                                 Caches& caches,
                                                                 TimePoint now = {});

}  // namespace portico::controllers
