// The facets are texts of JSON in the program.
#pragma once

#include <string_view>

#include "json/value.h"

namespace portico::kinds::internal {

/// The facets in `text`. An object with the member "$like" has the facets of that name
/// (shared_facets.cc) with its own on top: structs that stand in several kinds are described once.
/// A text that does not parse, or names facets that are not there, is null, which the first test
/// finds.
json::Value facets_from(std::string_view text);

}  // namespace portico::kinds::internal
