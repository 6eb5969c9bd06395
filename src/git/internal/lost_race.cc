#include "git/internal/lost_race.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>

namespace portico::git {

using std::chrono::milliseconds;

milliseconds wait_after_lost(int lost, double jitter) {
  if (lost <= 1) return milliseconds(0);
  constexpr int kMostDoublings = 4;
  const double first = 50.0 * (0.5 + std::clamp(jitter, 0.0, 1.0));
  return milliseconds(static_cast<int>(first * (1 << std::min(lost - 2, kMostDoublings))));
}

bool wait_for(milliseconds time, const Stop& stopped) {
  const auto until = std::min(std::chrono::steady_clock::now() + time, stopped.at());
  while (!stopped()) {
    const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return !stopped();
    pollfd polled{stopped.descriptor(), POLLIN, 0};
    if (::poll(&polled, 1, static_cast<int>(left.count())) < 0 && errno != EINTR) return false;
  }
  return false;
}

}  // namespace portico::git
