// The objects of a registry as events, whatever becomes of the watch.
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

/// Lists, then watches. Where the watch has lost its place ("410 Gone") or ends in another error it
/// lists again, and what is different from what was known is told as events: what is there no more
/// is deleted, in its last known state. So nobody has to know of lists. What fails, and a watch
/// that loses its place at once, is tried again after a back-off.
class Follower {
 public:
  struct Options {
    work::BackOff back_off{std::chrono::milliseconds(20), std::chrono::seconds(30)};
    /// 0 to 1: what is random of the back-off.
    std::function<double()> jitter = [] { return 0.5; };
  };
  explicit Follower(registry::Registry& registry) : Follower(registry, Options()) {}
  Follower(registry::Registry& registry, Options options)
      : registry_(registry), options_(std::move(options)) {}

  struct Step {
    /// In order; the version of an event that a list told of is that of the list.
    std::vector<registry::Event> events;
    std::optional<Error> error;
    /// Not to be called again before this is over.
    std::chrono::milliseconds pause{0};
  };
  /// Blocks until there is something to tell, `wait` is over or stop() was called. By one thread at
  /// a time.
  Step next(std::chrono::milliseconds wait);
  /// What came up to here has been told.
  registry::ResourceVersion version() const { return version_; }

  /// From any thread: next() returns soon, now and from now on.
  void stop();

 private:
  Result<std::vector<registry::Event>> list();
  Step failed(Error error);

  registry::Registry& registry_;
  const Options options_;
  std::map<krm::ObjectKey, json::Value> known_;
  registry::ResourceVersion version_ = 0;
  int failures_ = 0;  // since a watch has worked

  struct Shared {
    std::shared_ptr<registry::Watch> watch;  // none: to be listed
    bool stopped = false;
  };
  Guarded<Shared> shared_;
};

}  // namespace portico::controllers
