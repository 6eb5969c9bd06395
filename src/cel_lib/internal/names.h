// The formats of names and values that Kubernetes checks, by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace portico::cel_lib::internal {

struct NamedFormat {
  const char* name;
  /// What is wrong with a text; empty where nothing is. Kubernetes' words.
  std::vector<std::string> (*check)(std::string_view text);
};

std::span<const NamedFormat> named_formats();

}  // namespace portico::cel_lib::internal
