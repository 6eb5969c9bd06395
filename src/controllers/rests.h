// How long counting may wait, so that what changes all the time is not counted all the time.
#pragma once

#include <algorithm>
#include <chrono>
#include <map>

#include "base/guarded.h"
#include "krm/meta.h"

namespace portico::controllers {

/// After each look at a key it rests ten times as long as the look took, 5 s at most. The first
/// event after a quiet time is answered at once. Safe from any thread.
class Rests {
 public:
  using Clock = std::chrono::steady_clock;

  /// A look at `key` that began at `from` is over.
  void done(const krm::ObjectKey& key, Clock::time_point from) {
    const Clock::time_point now = Clock::now();
    const Clock::duration rest = std::min<Clock::duration>((now - from) * 10, kMost);
    until_.with([&](auto& all) { all[key] = now + rest; });
  }
  /// What is left of its rest.
  std::chrono::milliseconds left(const krm::ObjectKey& key) const {
    const Clock::time_point until = until_.with([&](const auto& all) {
      const auto at = all.find(key);
      return at == all.end() ? Clock::time_point() : at->second;
    });
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    return std::max(std::chrono::milliseconds(0), left);
  }

 private:
  static constexpr std::chrono::seconds kMost{5};
  Guarded<std::map<krm::ObjectKey, Clock::time_point>> until_;
};

}  // namespace portico::controllers
