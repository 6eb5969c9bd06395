// Tag rules of the runners outside of this process.
#pragma once

#include <string_view>

#include "render/function_runner.h"

namespace portico::fnrun::internal {

/// Whether it is a version constraint, which only a registry could resolve.
inline bool is_constraint(std::string_view tag) {
  return tag.find_first_of("~^<>=*|, ") != std::string_view::npos;
}

/// kInvalid if the function's version is a constraint.
inline Result<Done> check_tag(const render::FunctionRef& function) {
  if (!is_constraint(function.tag) && !is_constraint(function.image)) return Done{};
  return invalid(
      "tag \"{}\" of \"{}\" is a version constraint: specify a version, as no registry is queried",
      function.tag, function.image);
}

}  // namespace portico::fnrun::internal
