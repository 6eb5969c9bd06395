// A registry's objects as a continuous stream of events that survives failures of the watch.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"
#include "work/back_off.h"

namespace portico::controllers {

/// Lists, then watches. When the watch expires ("410 Gone") or ends in another error, lists again
/// and reports the differences from the known state as events; an object that has disappeared is
/// reported as deleted, in its last known state. Callers therefore never have to handle lists.
/// Errors, and a watch that expires at once, are retried after a back-off.
class Follower {
 public:
  struct Options {
    work::BackOff back_off{std::chrono::milliseconds(20), std::chrono::seconds(30)};
    /// The random part of the back-off, from 0 to 1.
    std::function<double()> jitter = [] { return 0.5; };
  };
  explicit Follower(registry::Registry& registry) : Follower(registry, Options()) {}
  Follower(registry::Registry& registry, Options options)
      : registry_(registry), options_(std::move(options)) {}

  struct Step {
    /// In order. Events that come from a list carry the version of that list.
    std::vector<registry::Event> events;
    std::optional<Error> error;
    /// The caller waits this long before the next call.
    std::chrono::milliseconds pause{0};
  };
  /// Blocks until there are events, `wait` has passed or stop() was called. For one thread at a
  /// time.
  Step next(std::chrono::milliseconds wait);
  /// All changes up to this version have been returned.
  registry::ResourceVersion version() const { return version_; }

  /// Thread-safe. From now on next() returns promptly, including a call in progress.
  void stop();

 private:
  Result<std::vector<registry::Event>> list();
  Step failed(Error error);

  registry::Registry& registry_;
  const Options options_;
  std::map<krm::ObjectKey, json::Value> known_;
  registry::ResourceVersion version_ = 0;
  int failures_ = 0;  // since the last working watch

  struct Shared {
    std::shared_ptr<registry::Watch> watch;  // null: a list is due
    bool stopped = false;
  };
  Guarded<Shared> shared_;
};

}  // namespace portico::controllers
