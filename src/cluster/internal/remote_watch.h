// A watch on an API: one stream per resource, reopened when it ends.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/monitor.h"
#include "cluster/api.h"
#include "registry/registry.h"
#include "registry/selector.h"

namespace portico::cluster {

/// One resource to watch, with the selectors for the server.
struct Watched {
  Resource resource;
  ListOptions options;  // without a version
};

class RemoteWatch : public registry::Watch {
 public:
  /// `selector` filters events by content that the server does not select by. `refused`: if set,
  /// why the watch is not possible; next() returns it.
  RemoteWatch(Api& api, std::vector<Watched> watched, registry::Selector selector,
              registry::ResourceVersion from, registry::OnReady on_ready,
              std::optional<Error> refused);
  ~RemoteWatch() override;

  Result<std::vector<registry::Event>> next(std::chrono::milliseconds wait) override;
  registry::ResourceVersion version() const override;
  void stop() override;

 private:
  struct Inbox {
    std::deque<registry::Event> events;
    std::optional<Error> error;
    bool stopped = false;
    bool armed = false;  // next() returned nothing, so on_ready has to be called
    registry::ResourceVersion seen = 0;
  };

  void run(const Watched& watched, const std::stop_token& stop);
  bool take(const WatchEvent& event, std::map<krm::ObjectKey, json::Value>& known,
            registry::ResourceVersion& seen);
  void push(std::optional<registry::Event> event, registry::ResourceVersion seen);
  void fail(Error error);
  void wake(bool armed);

  Api& api_;
  const registry::Selector selector_;
  const registry::ResourceVersion from_;
  const registry::OnReady on_ready_;
  Monitor<Inbox> inbox_;
  std::vector<std::jthread> streams_;  // last member, because the threads use all others
};

}  // namespace portico::cluster
