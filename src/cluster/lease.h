// A Lease of the cluster (coordination.k8s.io/v1): of several processes one works, the others wait.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "registry/registry.h"

namespace portico::cluster {

struct LeaseOptions {
  registry::Registry& registry;  // asked for nothing but the Lease; a call ends within call_time()
  const Clock& clock;
  std::string ns, name;
  std::string holder;  // unlike that of any other process
  /// How long it is ours without being renewed, which is done three times as often. Who takes over
  /// from a process that was killed waits so long.
  std::chrono::seconds duration{15};
  Log* log = nullptr;                  // may be null
  std::function<void()> on_wait = {};  // called when another process has it, and is waited for
};

/// Held from acquire() until it is lost, released or destroyed.
class Lease {
 public:
  static std::unique_ptr<Lease> make(LeaseOptions options);
  /// What a call for a Lease of this duration may take, so that its holder knows in time.
  static constexpr std::chrono::milliseconds call_time(std::chrono::seconds duration) {
    return std::min(std::chrono::milliseconds(duration) / 6, std::chrono::milliseconds(2'000));
  }
  virtual ~Lease() = default;  // releases

  /// Blocks until it is ours: true; false where `stop` came first. What fails is tried again, but
  /// for kInvalid (no right to it, say), which is handed back.
  virtual Result<bool> acquire(const std::stop_token& stop) = 0;
  /// After acquire(): renews it, in a thread. `lost` is called once, from there, with the reason,
  /// when another process has it or five sixths of its time are over without an answer: then there
  /// is time left to stop before another takes it.
  virtual void keep(std::function<void(const Error& why)> lost) = 0;
  /// Gives it back, if it is ours, so that nobody waits for its time to end.
  virtual void release() = 0;
};

}  // namespace portico::cluster
