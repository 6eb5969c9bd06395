#include "http/internal/roster.h"

namespace portico::http::internal {

bool Roster::add(const std::shared_ptr<Connection>& connection, const std::string& client) {
  return state_.with([&](State& state) {
    std::size_t& its = state.clients[client];
    if (state.connections.size() >= most_ || its >= most_per_client_) {
      if (its == 0) state.clients.erase(client);
      ++state.totals.turned_away;
      return false;
    }
    ++its;
    ++state.totals.accepted;
    state.connections.emplace(connection.get(), connection);
    return true;
  });
}

void Roster::remove(const Connection* connection, const std::string& client) {
  state_.change([&](State& state) {
    if (state.connections.erase(connection) == 0) return;
    const auto at = state.clients.find(client);
    if (at != state.clients.end() && --at->second == 0) state.clients.erase(at);
  });
}

std::vector<std::shared_ptr<Connection>> Roster::all() const {
  return state_.with([](const State& state) {
    std::vector<std::shared_ptr<Connection>> all;
    all.reserve(state.connections.size());
    for (const auto& [key, weak] : state.connections)
      if (auto connection = weak.lock()) all.push_back(std::move(connection));
    return all;
  });
}

std::size_t Roster::size() const {
  return state_.with([](const State& state) { return state.connections.size(); });
}

bool Roster::wait_for_none(Instant deadline) {
  return state_.wait_until(
      deadline, [](const State& state) { return state.connections.empty(); },
      [](const State& state) { return state.connections.empty(); });
}

Roster::Totals Roster::totals() const {
  return state_.with([](const State& state) { return state.totals; });
}

}  // namespace portico::http::internal
