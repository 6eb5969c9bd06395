// Leader election with a Lease of the cluster (coordination.k8s.io/v1): one of several processes
// works, the others wait.
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
  registry::Registry& registry;  // used only for the Lease; its calls must end within call_time()
  const Clock& clock;
  std::string ns, name;
  std::string holder;  // unique among all processes
  /// How long the Lease is valid without renewal; its holder renews it every third of that time. If
  /// the holder is killed, another process waits this long before it takes over.
  std::chrono::seconds duration{15};
  Log* log = nullptr;                  // may be null
  std::function<void()> on_wait = {};  // called when it has to wait for another holder
};

/// Held from acquire() until it is lost, released or destroyed.
class Lease {
 public:
  static std::unique_ptr<Lease> make(LeaseOptions options);
  /// The time limit for a call with a Lease of this duration, so that the holder notices a loss in
  /// time.
  static constexpr std::chrono::milliseconds call_time(std::chrono::seconds duration) {
    return std::min(std::chrono::milliseconds(duration) / 6, std::chrono::milliseconds(2'000));
  }
  virtual ~Lease() = default;  // releases

  /// Blocks until this process holds it: true; or false if `stop` is requested first. Errors are
  /// retried, except kInvalid (for example a missing permission), which is returned.
  virtual Result<bool> acquire(const std::stop_token& stop) = 0;
  /// After acquire(): renews the Lease in a thread. Calls `lost` once, from that thread, with the
  /// reason, when another process holds it, or when it could not be renewed, at the latest five
  /// sixths of its duration after the last renewal. This leaves time to stop before another process
  /// takes over.
  virtual void keep(std::function<void(const Error& why)> lost) = 0;
  /// Releases it if this process holds it, so that others do not wait for its expiry.
  virtual void release() = 0;
};

}  // namespace portico::cluster
