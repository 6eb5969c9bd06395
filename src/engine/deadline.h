// The deadline of a command: --timeout.
#pragma once

#include <algorithm>
#include <chrono>

namespace portico::engine {

/// A value type, counted from the start of the command. Without one, only each step has its limit.
class Deadline {
 public:
  Deadline() = default;
  explicit Deadline(int seconds)
      : seconds_(seconds),
        at_(std::chrono::steady_clock::now() + std::chrono::seconds(std::max(seconds, 0))) {}

  /// 0: no deadline.
  int seconds() const { return seconds_; }
  /// Whether it passed at least `grace` ago.
  bool over(std::chrono::milliseconds grace = {}) const {
    return seconds_ > 0 && std::chrono::steady_clock::now() >= at_ + grace;
  }
  /// The deadline plus `grace`; time_point::max() if there is none.
  std::chrono::steady_clock::time_point at(std::chrono::milliseconds grace = {}) const {
    return seconds_ > 0 ? at_ + grace : std::chrono::steady_clock::time_point::max();
  }
  /// The time left, at most `most`.
  std::chrono::milliseconds left(std::chrono::milliseconds most) const {
    if (seconds_ == 0) return most;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(at_ - std::chrono::steady_clock::now());
    return std::clamp(left, std::chrono::milliseconds(0), most);
  }

 private:
  int seconds_ = 0;
  std::chrono::steady_clock::time_point at_{};
};

}  // namespace portico::engine
