// Until when a command has to be done: --timeout.
#pragma once

#include <algorithm>
#include <chrono>

namespace portico::engine {

/// A value: from the start of the command. Without one a command may take as long as its steps do.
class Deadline {
 public:
  Deadline() = default;
  explicit Deadline(int seconds)
      : seconds_(seconds),
        at_(std::chrono::steady_clock::now() + std::chrono::seconds(std::max(seconds, 0))) {}

  /// 0: there is none.
  int seconds() const { return seconds_; }
  /// Since at least `grace`.
  bool over(std::chrono::milliseconds grace = {}) const {
    return seconds_ > 0 && std::chrono::steady_clock::now() >= at_ + grace;
  }
  /// When it is over since `grace`; the end of all times where there is none.
  std::chrono::steady_clock::time_point at(std::chrono::milliseconds grace = {}) const {
    return seconds_ > 0 ? at_ + grace : std::chrono::steady_clock::time_point::max();
  }
  /// What is left of it, and no more than `most`.
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
