#include "git/internal/lost_race.h"

#include <algorithm>

namespace portico::git {

using std::chrono::milliseconds;

milliseconds wait_after_lost(int lost, double jitter) {
  if (lost <= 1) return milliseconds(0);
  constexpr int kMostDoublings = 4;
  const double first = 50.0 * (0.5 + std::clamp(jitter, 0.0, 1.0));
  return milliseconds(static_cast<int>(first * (1 << std::min(lost - 2, kMostDoublings))));
}

}  // namespace portico::git
