#include "base/pause.h"

#include <poll.h>

#include <algorithm>
#include <chrono>

namespace portico {

bool pause_until(Stop::Time when, const Stop& stop) {
  while (!stop()) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= when) return true;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::min(when, stop.at()) - now);
    pollfd asked{stop.descriptor(), POLLIN, 0};
    (void)::poll(&asked, 1, static_cast<int>(left.count()));
  }
  return false;
}

}  // namespace portico
