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

void Failures::count(Pace pace) {
  ++all;
  refused = pace == Pace::kSoon ? 0 : refused + 1;
}

Instant::duration wait_after(Pace pace, const Failures& failures, const BackOff& back_off,
                             const BackOff& slow, double jitter) {
  constexpr int kDenialsThatPass = 5;  // 6 s with the default back-off
  if (pace == Pace::kSoon) return back_off.after(failures.all, jitter);
  if (pace == Pace::kSlowly) return slow.after(failures.refused, jitter);
  return failures.refused <= kDenialsThatPass
             ? back_off.after(failures.refused, jitter)
             : slow.after(failures.refused - kDenialsThatPass, jitter);
}

}  // namespace portico::work
