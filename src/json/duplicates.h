// Finds duplicate members in the objects of a JSON text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace portico::json {

/// The paths ("spec.parts[0].name") of members whose name already occurred in their object, each
/// path once, in text order; at most `most` of them. `text` must be accepted by parse(); the result
/// for other text is unspecified.
std::vector<std::string> duplicate_members(std::string_view text, std::size_t most = 100);

}  // namespace portico::json
