// Texts in quotes as Go's %q prints them: messages of Kubernetes are made with it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace portico {

/// "a\tb": in double quotes, with quotes, backslashes, control characters, what cannot be seen
/// (spaces but the common one, marks of direction, private characters) and bytes that are not UTF-8
/// escaped. Go escapes unassigned characters, too.
std::string go_quoted(std::string_view text);
/// Of a list: ["a" "b"].
std::string go_quoted(const std::vector<std::string>& texts);

}  // namespace portico
