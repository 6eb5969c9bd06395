// "did you mean ...?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace portico {

/// The candidate with the fewest changes from `name`, the case of ASCII letters and underscores
/// aside; "" where more than half of it would have to change. Of equally near ones the first.
std::string_view nearest(std::string_view name, const std::vector<std::string_view>& candidates);

/// " (did you mean PREFIXcandidate?)", or "".
std::string hint(std::string_view name, const std::vector<std::string_view>& candidates,
                 std::string_view prefix = "");

}  // namespace portico
