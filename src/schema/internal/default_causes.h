// Whether the defaults in a schema are valid against the schema itself.
#pragma once

#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace portico::schema::internal {

/// For each default: unknown fields, malformed metadata, and violations of its schema.
std::vector<Cause> default_causes(const Schema& root, std::string_view path);

}  // namespace portico::schema::internal
