#include "http/server.h"

#include <atomic>
#include <chrono>
#include <utility>

#include "base/guarded.h"
#include "http/internal/acceptor.h"
#include "http/internal/connection.h"
#include "http/internal/listen.h"
#include "http/internal/tls.h"
#include "http/internal/workers.h"

namespace portico::http {
namespace {

using internal::Acceptor;
using internal::Reactor;
using internal::Shared;
using internal::TlsContext;
using internal::Workers;

class TheServer final : public Server {
 public:
  TheServer(Options options, std::shared_ptr<Handler> handler, std::unique_ptr<Reactor> reactor)
      : shared_(std::move(options), std::move(handler), std::move(reactor)) {}

  ~TheServer() override {
    stop(std::chrono::milliseconds(0));
    if (shared_.workers) shared_.workers->stop();
    // Handlers that ended just now may have left connections that nothing reads.
    close_all();
    shared_.reactor->stop();
  }

  Result<Done> open() {
    if (shared_.options.shares.empty()) return invalid("a server needs a share");
    for (const Listener& listener : shared_.options.listeners)
      if (listener.tls && listener.unix_path.empty() && !tls_.with([](auto& t) { return !!t; }))
        PORTICO_DO(set_tls(shared_.options.tls));
    PORTICO_TRY(shared_.workers, Workers::start(shared_.options.shares, [](internal::Job job) {
                  const auto connection = job.connection;
                  connection->run(std::move(job));
                }));
    for (const Listener& listener : shared_.options.listeners) {
      PORTICO_TRY(internal::Listening listening, internal::listen_at(listener));
      acceptors_.push_back(std::make_shared<Acceptor>(shared_, std::move(listening), [this] {
        return tls_.with([](const auto& tls) { return tls; });
      }));
    }
    for (const auto& acceptor : acceptors_)
      if (!acceptor->start()) return unavailable("cannot watch a listening socket");
    return Done{};
  }

  std::vector<std::uint16_t> ports() const override {
    std::vector<std::uint16_t> ports;
    for (const auto& acceptor : acceptors_) ports.push_back(acceptor->port());
    return ports;
  }

  Result<Done> set_tls(const Tls& tls) override {
    PORTICO_TRY(auto context, TlsContext::make(tls));
    tls_.with([&](auto& current) { current = std::move(context); });
    return Done{};
  }

  Counts counts() const override {
    const auto totals = shared_.roster.totals();
    return {.connections = shared_.roster.size(),
            .accepted = totals.accepted,
            .turned_away = totals.turned_away,
            .shares = shared_.workers->counts()};
  }

  void stop(std::chrono::milliseconds grace) override {
    shared_.stopping.request_stop();
    for (const auto& acceptor : acceptors_) acceptor->stop();
    for (const auto& connection : shared_.roster.all()) connection->wind_down();
    shared_.roster.wait_for_none(std::chrono::steady_clock::now() + grace);
    close_all();
  }

 private:
  void close_all() {
    for (const auto& connection : shared_.roster.all()) connection->close();
  }

  Guarded<std::shared_ptr<const TlsContext>> tls_;
  Shared shared_;
  std::vector<std::shared_ptr<Acceptor>> acceptors_;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::start(Options options, std::shared_ptr<Handler> handler) {
  PORTICO_TRY(auto reactor, Reactor::start(std::max<std::size_t>(options.threads, 1)));
  auto server =
      std::make_unique<TheServer>(std::move(options), std::move(handler), std::move(reactor));
  PORTICO_DO(server->open());
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace portico::http
