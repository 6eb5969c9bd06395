// What the connections of a server have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include "base/guarded.h"
#include "http/internal/budget.h"
#include "http/internal/deadlines.h"
#include "http/internal/exchange.h"
#include "http/internal/reactor.h"
#include "http/internal/roster.h"
#include "http/internal/task_list.h"
#include "http/internal/workers.h"
#include "http/server.h"

namespace portico::http::internal {

using Connections = TaskList<std::shared_ptr<Connection>>;

/// It outlives its threads, and connections touch
/// it only on those, or under their lock while they are open.
struct Shared {
  Shared(Options chosen, std::shared_ptr<Handler> its_handler,
         std::unique_ptr<Reactor> its_reactor);

  Options options;
  ExchangeSettings settings;
  std::shared_ptr<Handler> handler;
  std::unique_ptr<Reactor> reactor;
  Deadlines deadlines;
  Roster roster;
  Budget body, unsent;
  Connections handshakes, flushes;
  std::unique_ptr<Workers> workers;
  std::stop_source stopping;

  /// The field Date of now.
  std::string date();
  /// Room for new connections, by closing idle ones; false where there are none.
  bool drop_idle();
  /// The connection whose reader has let a whole answer wait longest is closed.
  void drop_slowest();

 private:
  struct DateText {
    std::int64_t second = 0;
    std::string text;
  };
  Guarded<DateText> date_;
};

}  // namespace portico::http::internal
