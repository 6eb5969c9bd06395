// What a definition's schema may not say, structural or not.
#pragma once

#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace portico::schema::internal {

/// Members that are not supported or do not go together, at any depth, in order of the walk.
std::vector<Cause> form_causes(const Node& root, std::string_view path);

}  // namespace portico::schema::internal
