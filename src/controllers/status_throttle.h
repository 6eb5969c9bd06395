// Limits how often counters are updated, so that objects that change constantly are not counted
// constantly.
#pragma once

#include <algorithm>
#include <chrono>
#include <map>

#include "base/guarded.h"
#include "krm/meta.h"

namespace portico::controllers {

/// After each count, a key rests for ten times as long as the count took, at most 5 s. What else
/// its reconcile does (writes of variants, a sync) is no part of a count: it does not repeat with
/// every event. The first event after a quiet time is handled at once. Thread-safe.
class StatusThrottle {
 public:
  using Clock = std::chrono::steady_clock;

  /// A count of `key` that began at `from` has ended.
  void done(const krm::ObjectKey& key, Clock::time_point from) {
    const Clock::time_point now = Clock::now();
    const Clock::duration rest = std::min<Clock::duration>((now - from) * 10, kMost);
    until_.with([&](Until& until) {
      until.all[key] = now + rest;
      if (until.all.size() < until.sweep_at) return;
      std::erase_if(until.all, [&](const auto& one) { return one.second <= now; });
      until.sweep_at = std::max(kSweepFrom, 2 * until.all.size());
    });
  }
  /// The remaining rest of `key`.
  std::chrono::milliseconds left(const krm::ObjectKey& key) const {
    const Clock::time_point until = until_.with([&](const Until& known) {
      const auto at = known.all.find(key);
      return at == known.all.end() ? Clock::time_point() : at->second;
    });
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    return std::max(std::chrono::milliseconds(0), left);
  }
  /// The number of keys remembered: those that rest, plus not much more than the same number of
  /// others.
  std::size_t size() const {
    return until_.with([](const Until& until) { return until.all.size(); });
  }

  /// Measures a count of `key`, from here to the end of the scope. Not shared between threads.
  class Counting {
   public:
    Counting(StatusThrottle& throttle, const krm::ObjectKey& key)
        : throttle_(throttle), key_(key) {}
    ~Counting() { throttle_.done(key_, from_); }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;
    /// Leaves out what was done so far.
    void restart() { from_ = Clock::now(); }

   private:
    StatusThrottle& throttle_;
    const krm::ObjectKey& key_;
    Clock::time_point from_ = Clock::now();
  };

 private:
  static constexpr std::chrono::seconds kMost{5};
  static constexpr std::size_t kSweepFrom = 64;
  struct Until {
    std::map<krm::ObjectKey, Clock::time_point> all;
    std::size_t sweep_at = kSweepFrom;
  };
  Guarded<Until> until_;
};

}  // namespace portico::controllers
