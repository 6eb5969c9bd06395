// What a reconciler returns on success: when its key is to be reconciled next.
#pragma once

#include <chrono>
#include <optional>

namespace portico::work {

/// An event always triggers a reconcile sooner; its result then replaces this one.
struct NextReconcile {
  /// For what depends on time rather than on an event: a delay, a schedule, a poll. Nullopt: only
  /// events trigger a reconcile. A key that only waits for this time is idle.
  std::optional<std::chrono::milliseconds> after{};
  /// `after` is a back-off: another key found that a dependency of this one does not answer.
  /// Callers that wait for the key count its next reconcile as a retry.
  bool retry = false;

  bool operator==(const NextReconcile&) const = default;
};

}  // namespace portico::work
