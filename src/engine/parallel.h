// Many things that mostly wait, done side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace portico::engine {

/// Runs `lanes` side by side, at most `threads` of them at a time, each with its items one after
/// the other. `work` is called from other threads with the item's number, `done` from this one with
/// how many items are done. Returns when all are. Exceptions of `work` end the program.
void in_parallel(const std::vector<std::vector<std::size_t>>& lanes, std::size_t threads,
                 const std::function<void(std::size_t)>& work,
                 const std::function<void(std::size_t)>& done);

}  // namespace portico::engine
