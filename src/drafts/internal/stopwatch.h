// Measures elapsed time.
#pragma once

#include <chrono>
#include <utility>

namespace portico::drafts {

/// Runs from its construction or the last lap().
class Stopwatch {
 public:
  std::chrono::nanoseconds elapsed() const { return Steady::now() - from_; }
  std::chrono::nanoseconds lap() {
    const auto now = Steady::now();
    return now - std::exchange(from_, now);
  }

 private:
  using Steady = std::chrono::steady_clock;
  Steady::time_point from_ = Steady::now();
};

}  // namespace portico::drafts
