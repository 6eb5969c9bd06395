// State shared by the connections of a server.
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

/// Outlives its threads. Connections use it only on those threads, or under their own lock while
/// open.
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

  /// The current value for the Date field.
  std::string date();
  /// Closes idle connections to make room for new ones; returns false if there are none.
  bool drop_idle();
  /// Closes the connection whose reader has kept a complete answer waiting longest.
  void drop_slowest();

 private:
  struct DateText {
    std::int64_t second = 0;
    std::string text;
  };
  Guarded<DateText> date_;
};

}  // namespace portico::http::internal
