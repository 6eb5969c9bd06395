// Circuit breaker: whether to try a shared dependency that has failed.
#pragma once

#include <string>

#include "work/back_off.h"

namespace portico::work {

/// Closed: every caller tries. A failure opens the breaker: no caller tries until the back-off is
/// over; then exactly one does, the probe. A failed probe opens it for twice as long; any success
/// closes it. Has no threads and no clock: every call passes the time.
class Breaker {
 public:
  explicit Breaker(BackOff back_off = {}) : back_off_(back_off) {}

  enum class Pass { kFree, kProbe, kNone };
  /// A caller that gets kProbe must report the outcome, or did_not_try().
  Pass enter(Instant now);
  /// The probe ended before it tried the dependency: the next caller becomes the probe.
  void did_not_try();

  void succeeded();
  /// `jitter`: as in BackOff. A no-op while the breaker is open and no probe runs: attempts that
  /// began before it opened may still fail.
  void failed(Instant now, double jitter, std::string why);

  bool is_closed() const { return failures_ == 0; }
  /// The failures in a row, the last error, and when a probe is let through.
  int failures() const { return failures_; }
  const std::string& why() const { return why_; }
  Instant next_probe() const { return next_probe_; }

 private:
  BackOff back_off_;
  int failures_ = 0;
  bool probing_ = false;
  Instant next_probe_{};
  std::string why_;
};

}  // namespace portico::work
