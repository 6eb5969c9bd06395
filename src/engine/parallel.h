// Runs many tasks that mostly wait concurrently.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace portico::engine {

/// Runs `lanes` concurrently, at most `threads` at a time, each with its items in sequence. Calls
/// `work` on other threads with the item's number, and `done` on this one with the number of
/// finished items. Returns when all are finished. An exception in `work` terminates the program.
void in_parallel(const std::vector<std::vector<std::size_t>>& lanes, std::size_t threads,
                 const std::function<void(std::size_t)>& work,
                 const std::function<void(std::size_t)>& done);

}  // namespace portico::engine
