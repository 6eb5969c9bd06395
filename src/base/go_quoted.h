// Quotes text as Go's %q does; Kubernetes builds its messages with it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace portico {

/// "a\tb": in double quotes. Escapes quotes, backslashes, control characters, invisible characters
/// (spaces other than U+0020, bidirectional marks, private-use characters) and bytes that are not
/// UTF-8. Go also escapes unassigned characters; this does not.
std::string go_quoted(std::string_view text);
/// A list: ["a" "b"].
std::string go_quoted(const std::vector<std::string>& texts);

}  // namespace portico
