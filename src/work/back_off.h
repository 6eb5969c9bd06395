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

/// How soon a failed attempt is repeated.
enum class Pace {
  kSoon,    // after the back-off
  kDenied,  // an API server denies the request: first soon, because a starting kube-apiserver
            // denies everything for a moment, then slowly, because a person has to grant it
  kSlowly,  // after the slow back-off: a person fixes it elsewhere
};
/// The failures of a key in a row.
struct Failures {
  int all = 0;
  int refused = 0;  // the last ones of them, if they were kDenied or kSlowly

  void count(Pace pace);
};
/// The wait after the last of `failures`, which had this pace. Failures before the first refusal do
/// not lengthen the slow back-off: the other side had not answered.
Instant::duration wait_after(Pace pace, const Failures& failures, const BackOff& back_off,
                             const BackOff& slow, double jitter);

}  // namespace portico::work
