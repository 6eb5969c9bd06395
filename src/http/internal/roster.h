// The open connections, and their number per client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/monitor.h"
#include "http/internal/reactor.h"

namespace portico::http::internal {

class Connection;

/// Thread-safe.
class Roster {
 public:
  Roster(std::size_t most, std::size_t most_per_client)
      : most_(most), most_per_client_(most_per_client) {}

  /// Returns false if a limit is reached.
  bool add(const std::shared_ptr<Connection>& connection, const std::string& client);
  void remove(const Connection* connection, const std::string& client);

  std::vector<std::shared_ptr<Connection>> all() const;
  std::size_t size() const;
  bool is_full() const { return size() >= most_; }
  /// Waits until no connection is left; returns false if the deadline passes first.
  bool wait_for_none(Instant deadline);
  struct Totals {
    std::uint64_t accepted = 0, turned_away = 0;
  };
  Totals totals() const;

 private:
  struct State {
    std::unordered_map<const Connection*, std::weak_ptr<Connection>> connections;
    std::unordered_map<std::string, std::size_t> clients;
    Totals totals;
  };
  std::size_t most_, most_per_client_;
  Monitor<State> state_;
};

}  // namespace portico::http::internal
