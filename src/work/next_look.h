// What a reconciler says when it is done: when its key is to be looked at next.
#pragma once

#include <chrono>
#include <optional>

namespace portico::work {

/// An event wakes the key sooner in any case; the look that it leads to says anew what comes next.
struct NextLook {
  /// For what comes with time and not with an event: a delay, a schedule, a poll. Nothing: only
  /// events wake the key. A key that only waits for this time is idle.
  std::optional<std::chrono::milliseconds> after{};
  /// `after` is a back-off: what the key needs does not answer, as somebody else found out. Who
  /// waits for the key counts the look as another try of one that failed.
  bool retry = false;

  bool operator==(const NextLook&) const = default;
};

}  // namespace portico::work
