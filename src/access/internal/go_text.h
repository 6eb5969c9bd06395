// Texts as Go's fmt prints them: messages of Kubernetes are made with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace portico::access::internal {

/// %q of a string, for UTF-8: quotes, backslashes and control characters are escaped.
std::string quoted(std::string_view text);
/// %q of a list: ["a" "b"].
std::string quoted(const std::vector<std::string>& texts);

}  // namespace portico::access::internal
