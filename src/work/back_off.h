// How long to wait before the next try, after so many that failed.
#pragma once

#include <chrono>

namespace portico::work {

using Instant = std::chrono::steady_clock::time_point;

struct BackOff {
  std::chrono::milliseconds first{200}, most{std::chrono::minutes(5)};

  /// After `failures` (1, 2, ...) in a row: `first`, then twice as long each time up to `most`, and
  /// up to half as much again for `jitter` (0 to 1), so that many do not come back at once.
  Instant::duration after(int failures, double jitter) const;
};

/// What passes by itself has mostly passed after so many failures in a row: who waits for a key
/// that fails waits for another try (KeyQueue::is_retrying), and after more of them no longer.
constexpr int kFailuresThatPass = 2;

/// For what a person mends elsewhere and nothing tells of.
constexpr BackOff kSlowBackOff{std::chrono::minutes(1), std::chrono::minutes(10)};

}  // namespace portico::work
