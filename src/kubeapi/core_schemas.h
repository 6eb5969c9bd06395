// Schemas of the kinds that are compiled into a Kubernetes server, as far as merging and decoding
// need them. Pure.
#pragma once

#include <string_view>

#include "schema/schema.h"

namespace portico::kubeapi {

/// For a kind that is not one of them: free_schema().
schema::Schema core_schema(std::string_view group, std::string_view kind);

/// Of objects of which nothing is known but that they are objects: nothing is pruned.
schema::Schema free_schema();

}  // namespace portico::kubeapi
