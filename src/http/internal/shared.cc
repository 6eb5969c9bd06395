#include "http/internal/shared.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "http/internal/connection.h"

namespace portico::http::internal {
namespace {

constexpr std::size_t kBatch = 32;

}  // namespace

Shared::Shared(Options chosen, std::shared_ptr<Handler> its_handler,
               std::unique_ptr<Reactor> its_reactor)
    : options(std::move(chosen)),
      settings{.parser = {.header_bytes = options.limits.header_bytes,
                          .header_count = options.limits.header_count,
                          .target_bytes = options.limits.target_bytes},
               .times = options.times,
               .stream_bytes = options.limits.stream_bytes},
      handler(std::move(its_handler)),
      reactor(std::move(its_reactor)),
      deadlines(*reactor),
      roster(options.limits.connections, options.limits.connections_per_client),
      body(options.limits.body_bytes),
      unsent(options.limits.unsent_bytes),
      // Handshakes are the most expensive work: limiting them to one thread leaves at least one for
      // existing connections.
      handshakes(*reactor, 1, 1, [](auto& connection) { connection->handshake(); }),
      flushes(*reactor, options.threads, kBatch, [](auto& connection) { connection->flush(); }) {}

std::string Shared::date() {
  const auto second =
      std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()).time_since_epoch();
  return date_.with([&](DateText& date) {
    if (date.second != second.count()) date = {second.count(), http_date(second.count())};
    return date.text;
  });
}

bool Shared::drop_idle() {
  std::vector<std::pair<Instant, std::shared_ptr<Connection>>> idle;
  for (auto& connection : roster.all())
    if (const auto until = connection->idle_until())
      idle.emplace_back(*until, std::move(connection));
  // Close many at once, because finding them scans all connections.
  const std::size_t count = std::min(idle.size(), roster.size() / 16 + 1);
  std::partial_sort(idle.begin(), idle.begin() + static_cast<std::ptrdiff_t>(count), idle.end(),
                    [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < count; ++i) idle[i].second->close();
  return count > 0;
}

void Shared::drop_slowest() {
  std::shared_ptr<Connection> slowest;
  Instant since = Instant::max();
  for (auto& connection : roster.all())
    if (const auto its = connection->waits_since(); its && *its < since) {
      since = *its;
      slowest = std::move(connection);
    }
  if (slowest) slowest->close();
}

}  // namespace portico::http::internal
