#include "work/back_off.h"

#include <algorithm>

namespace portico::work {

Instant::duration BackOff::after(int failures, double jitter) const {
  using Wait = std::chrono::duration<double, std::milli>;
  Wait wait = first;
  for (int i = 1; i < failures && wait < most; ++i) wait *= 2;
  wait = std::min<Wait>(wait, most) * (1 + std::clamp(jitter, 0.0, 1.0) / 2);
  return std::chrono::duration_cast<Instant::duration>(wait);
}

}  // namespace portico::work
