// Schemas of the kinds that are compiled into a Kubernetes server, as far as merging and decoding
// need them. Pure.
#pragma once

#include <string_view>

#include "schema/schema.h"

namespace portico::kubeapi {

/// free_schema() for any other kind.
schema::Schema core_schema(std::string_view group, std::string_view kind);

/// For objects without a known schema; nothing is pruned.
schema::Schema free_schema();

}  // namespace portico::kubeapi
