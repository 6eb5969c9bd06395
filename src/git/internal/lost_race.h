// Retry policy for writers that lose a race against other writers.
#pragma once

#include <chrono>

namespace portico::git {

/// How often a batch is tried while other writers keep moving its refs. A writer that loses every
/// time gets the conflict and decides again from the current state.
constexpr int kMostTries = 4;
/// The same for each write of such a batch when it is retried alone: it has already waited.
constexpr int kMostTriesAlone = 2;

/// How long to wait before the next try after `lost` lost races (1, 2, ...). No wait after the
/// first: the winner is done. Then 50 ms, doubling each time, scaled by a factor of 0.5 to 1.5 from
/// `jitter` (0 to 1) so that writers that lose together do not retry together. Pure.
std::chrono::milliseconds wait_after_lost(int lost, double jitter);

}  // namespace portico::git
