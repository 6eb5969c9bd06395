// Spelling hints: "did you mean ...?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace portico {

/// The candidate with the fewest edits from `name`, ignoring underscores and the case of ASCII
/// letters; "" if at least half of `name` would have to change. The first one wins a tie.
std::string_view nearest(std::string_view name, const std::vector<std::string_view>& candidates);

/// " (did you mean PREFIXcandidate?)", or "".
std::string hint(std::string_view name, const std::vector<std::string_view>& candidates,
                 std::string_view prefix = "");

}  // namespace portico
