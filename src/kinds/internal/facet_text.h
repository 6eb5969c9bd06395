// The facets are texts of JSON in the program.
#pragma once

#include <string_view>

#include "json/text.h"

namespace portico::kinds::internal {

/// A text that does not parse is null, which the first test finds.
inline json::Value facets_from(std::string_view text) {
  const auto value = json::parse(text);
  return value ? *value : json::Value();
}

}  // namespace portico::kinds::internal
