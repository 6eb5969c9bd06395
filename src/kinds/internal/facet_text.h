// Facets are embedded in the program as JSON text.
#pragma once

#include <string_view>

#include "json/value.h"

namespace portico::kinds::internal {

/// Parses facets. An object with the member "$like" gets the facets of that name
/// (shared_facets.cc), overridden by its own members: structs used in several kinds are described
/// only once. Returns null for text that does not parse or names unknown facets; a test catches
/// that.
json::Value facets_from(std::string_view text);

}  // namespace portico::kinds::internal
