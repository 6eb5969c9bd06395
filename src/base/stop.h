// Cancellation: waiting code stops at a deadline or on request.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "base/fd.h"

namespace portico {

/// A cancellation token with an optional deadline. A value; a default-constructed one never stops.
/// To wait for it, poll(2) descriptor() for reading until at(). Thread-safe.
class Stop {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Stop() = default;
  /// Stops at a deadline; has no descriptor.
  static Stop at_time(Time at) {
    Stop out;
    out.at_ = at;
    return out;
  }

  /// Whether it can ever stop.
  explicit operator bool() const { return flag_ != nullptr || at_ != Time::max(); }
  /// Whether to stop now.
  bool operator()() const;
  /// Readable while a stop is requested; -1 if there is no StopSource. Never read from it.
  int descriptor() const;
  /// The deadline; Time::max() for none.
  Time at() const { return at_; }

 private:
  friend class StopSource;
  struct Flag {
    std::atomic<bool> asked = false;
    Fd event;
  };
  std::shared_ptr<const Flag> flag_;
  Time at_ = Time::max();
};

/// Requests stops. Thread-safe, but not async-signal-safe.
class StopSource {
 public:
  StopSource();

  void ask();
  void take_back();
  /// Stops while a request of this source is pending, and from `at` on.
  Stop stop(Stop::Time at = Stop::Time::max()) const;

 private:
  std::shared_ptr<Stop::Flag> flag_;
};

}  // namespace portico
