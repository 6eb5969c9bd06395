// Members that an object of a JSON text has twice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace portico::json {

/// The paths ("spec.parts[0].name") of members whose name has come up before in their object, each
/// path once, in order of the text; at most `most` of them. `text` is JSON that parse() takes; of
/// another one nothing is said.
std::vector<std::string> duplicate_members(std::string_view text, std::size_t most = 100);

}  // namespace portico::json
