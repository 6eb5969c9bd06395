// Exponential back-off: how long to wait after consecutive failures.
#pragma once

#include <chrono>

namespace portico::work {

using Instant = std::chrono::steady_clock::time_point;

struct BackOff {
  std::chrono::milliseconds first{200}, most{std::chrono::minutes(5)};

  /// After `failures` (1, 2, ...) in a row: `first`, doubled for each further failure up to `most`,
  /// plus up to 50 % for `jitter` (0 to 1), so that many keys are not retried at once.
  Instant::duration after(int failures, double jitter) const;
};

/// A transient error has usually passed after this many failures in a row. Callers that wait for a
/// failing key wait for its retries (KeyQueue::is_retrying) up to this number, and no longer after
/// it.
constexpr int kFailuresThatPass = 2;

/// For errors that a person fixes elsewhere, without an event that reports the fix.
constexpr BackOff kSlowBackOff{std::chrono::minutes(1), std::chrono::minutes(10)};

}  // namespace portico::work
