// What the schema of a definition may not contain, structural or not.
#pragma once

#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace portico::schema::internal {

/// Unsupported or incompatible members at any depth, in the order of the walk.
std::vector<Cause> form_causes(const Node& root, std::string_view path);

}  // namespace portico::schema::internal
