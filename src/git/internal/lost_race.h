// How writers go on that others were quicker than.
#pragma once

#include <chrono>

namespace portico::git {

/// Times that a batch is tried whose refs others move each time. Who loses all of them is told, and
/// decides again on what is there.
constexpr int kMostTries = 4;
/// The same of each write of such a batch when it goes alone: it has waited with the others.
constexpr int kMostTriesAlone = 2;

/// How long to wait after so many lost races (1, 2, ...) before the next try. Not after the first:
/// whoever was quicker is done. Then 50 ms and twice as long each time, half as much to half as
/// much again by `jitter` (0 to 1), so that those who lose together do not come back together.
/// Pure.
std::chrono::milliseconds wait_after_lost(int lost, double jitter);

}  // namespace portico::git
