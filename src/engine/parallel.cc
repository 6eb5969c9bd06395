#include "engine/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/alternate_stack.h"
#include "base/monitor.h"

namespace portico::engine {

void in_parallel(const std::vector<std::vector<std::size_t>>& lanes, std::size_t threads,
                 const std::function<void(std::size_t)>& work,
                 const std::function<void(std::size_t)>& done) {
  std::size_t all = 0;
  for (const auto& lane : lanes) all += lane.size();
  std::atomic<std::size_t> next = 0;
  Monitor<std::size_t> finished(0u);
  const auto run = [&] {
    prepare_alternate_stack();
    for (std::size_t lane = next++; lane < lanes.size(); lane = next++)
      for (const std::size_t item : lanes[lane]) {
        work(item);
        finished.change([](std::size_t& count) { ++count; });
      }
  };
  std::vector<std::jthread> running;
  for (std::size_t i = 0; i < std::min(threads, lanes.size()); ++i) running.emplace_back(run);
  for (std::size_t seen = 0; seen < all; done(seen))
    seen = finished.wait([&](std::size_t count) { return count > seen; },
                         [](std::size_t count) { return count; });
}

}  // namespace portico::engine
