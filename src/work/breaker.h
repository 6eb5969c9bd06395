// Whether something that many depend on is to be tried, now that it has failed.
#pragma once

#include <string>

#include "work/back_off.h"

namespace portico::work {

/// Closed: everybody tries. A failure opens it: nobody does until the back-off is over, and then
/// one alone, the probe. A probe that fails opens it for twice as long; any success closes it.
/// Without threads or clock: every call says what time it is.
class Breaker {
 public:
  explicit Breaker(BackOff back_off = {}) : back_off_(back_off) {}

  enum class Pass { kFree, kProbe, kNone };
  /// Whoever gets kProbe says how it went, or that it did not try.
  Pass enter(Instant now);
  /// The probe did not come so far: the next one who asks is the probe.
  void did_not_try();

  void succeeded();
  /// `jitter`: as in BackOff. While it is open this changes nothing: what began before it opened
  /// fails after that.
  void failed(Instant now, double jitter, std::string why);

  bool is_closed() const { return failures_ == 0; }
  /// How often it has failed in a row, what was said the last time, and when a probe is let
  /// through.
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
