// Whether the defaults in a schema are what the schema itself allows.
#pragma once

#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace portico::schema::internal {

/// For each default: unknown fields, metadata of a wrong shape, and what its schema has against it.
std::vector<Cause> default_causes(const Schema& root, std::string_view path);

}  // namespace portico::schema::internal
