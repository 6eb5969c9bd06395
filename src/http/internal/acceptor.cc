#include "http/internal/acceptor.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>

namespace portico::http::internal {
namespace {

constexpr int kBatch = 64;
constexpr auto kNoDescriptors = std::chrono::milliseconds(100);

std::string client_of(const Peer& peer) {
  if (peer.unix_peer) return fmt::format("uid {}", peer.unix_peer->uid);
  return peer.address;
}

}  // namespace

Acceptor::Acceptor(Shared& shared, Listening listening, CurrentTls tls)
    : shared_(shared), tls_(std::move(tls)), port_(listening.port), is_tls_(listening.tls) {
  state_.with([&](State& state) { state.listening = std::move(listening); });
}

bool Acceptor::start() {
  return state_.with([&](State& state) {
    state.watched = Watched::make(*shared_.reactor, state.listening.socket.get());
    if (state.watched) state.watched->wait_readable(shared_from_this());
    return state.watched != nullptr;
  });
}

void Acceptor::stop() {
  state_.with([](State& state) {
    state.watched.reset();
    if (state.listening.socket && !state.listening.unix_path.empty())
      ::unlink(state.listening.unix_path.c_str());
    state.listening.socket.reset();
  });
}

void Acceptor::readable() {
  state_.with([&](State& state) {
    if (!state.watched) return;
    if (accept_some(state.listening.socket.get())) {
      state.watched->wait_readable(shared_from_this());
    } else {
      shared_.deadlines.set(shared_from_this(), std::chrono::steady_clock::now() + kNoDescriptors);
    }
  });
}

void Acceptor::expire(Instant) { readable(); }

bool Acceptor::accept_some(int listening) {
  for (int i = 0; i < kBatch; ++i) {
    Fd socket(::accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket) {
      take(std::move(socket));
      continue;
    }
    const bool is_short = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
    if (!is_short) return true;
    if (!shared_.drop_idle()) return false;
  }
  return true;
}

void Acceptor::take(Fd socket) {
  Peer peer = peer_of(socket.get(), is_tls_);
  std::string client = client_of(peer);
  Transport transport(std::move(socket), is_tls_ ? tls_() : nullptr);
  if (is_tls_ && !transport.is_tls()) return;
  if (shared_.roster.is_full()) shared_.drop_idle();
  const auto connection = std::make_shared<Connection>(shared_, std::move(transport),
                                                       std::move(peer), std::move(client));
  if (shared_.roster.add(connection, connection->client())) connection->start();
}

}  // namespace portico::http::internal
