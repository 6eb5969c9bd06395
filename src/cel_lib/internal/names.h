// The name and value formats that Kubernetes validates, by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace portico::cel_lib::internal {

struct NamedFormat {
  const char* name;
  /// Returns the errors in a text, in Kubernetes' wording; empty if it is valid.
  std::vector<std::string> (*check)(std::string_view text);
};

std::span<const NamedFormat> named_formats();

}  // namespace portico::cel_lib::internal
