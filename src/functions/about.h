// Descriptions of the built-in functions, for users.
#pragma once

#include <string_view>

namespace portico::functions {

struct About {
  std::string_view name;
  std::string_view does;    // one sentence without a final period
  std::string_view config;  // lines that describe the function's config
};

/// `name` is a name in catalog(); nullptr for any other.
const About* about(std::string_view name);

}  // namespace portico::functions
