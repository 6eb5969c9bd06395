// How those who wait are told to stop: at a time, or when somebody asks for it.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "base/fd.h"

namespace portico {

/// Whether it is time to stop. A value; a default one never says so. It can be waited for: poll(2)
/// for reading of descriptor(), until at(). Safe from any thread.
class Stop {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Stop() = default;
  /// At a time; without a descriptor.
  static Stop at_time(Time at) {
    Stop out;
    out.at_ = at;
    return out;
  }

  /// Whether it can ever come.
  explicit operator bool() const { return flag_ != nullptr || at_ != Time::max(); }
  /// Whether it has come.
  bool operator()() const;
  /// Readable while somebody asks for it, -1 where nobody can. Never read from it.
  int descriptor() const;
  /// Time::max() where there is none.
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

/// Asks for it. Safe from any thread, but not from a signal handler.
class StopSource {
 public:
  StopSource();

  void ask();
  void take_back();
  /// As long as this one asks, and from `at` on.
  Stop stop(Stop::Time at = Stop::Time::max()) const;

 private:
  std::shared_ptr<Stop::Flag> flag_;
};

}  // namespace portico
