// What the built-in functions do, for people.
#pragma once

#include <string_view>

namespace portico::functions {

struct About {
  std::string_view name;
  std::string_view does;    // one sentence without a full stop
  std::string_view config;  // lines: what the function's config says
};

/// Of a name in catalog(); nullptr for others.
const About* about(std::string_view name);

}  // namespace portico::functions
