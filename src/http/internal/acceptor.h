// Accepts the connections of one listening socket.
#pragma once

#include <functional>
#include <memory>

#include "base/guarded.h"
#include "http/internal/connection.h"
#include "http/internal/listen.h"

namespace portico::http::internal {

/// The TLS context for new connections: null if the listener has no TLS.
using CurrentTls = std::function<std::shared_ptr<const TlsContext>()>;

/// Thread-safe.
class Acceptor final : public Waiter,
                       public Expiring,
                       public std::enable_shared_from_this<Acceptor> {
 public:
  Acceptor(Shared& shared, Listening listening, CurrentTls tls);

  bool start();
  /// No connection is accepted after it returns. Removes the file of a unix socket.
  void stop();
  std::uint16_t port() const { return port_; }

  void readable() override;
  void writable() override {}
  void expire(Instant now) override;

 private:
  struct State {
    Listening listening;
    std::unique_ptr<Watched> watched;
  };
  /// Returns false if the system is out of descriptors.
  bool accept_some(int listening);
  void take(Fd socket);

  Shared& shared_;
  CurrentTls tls_;
  std::uint16_t port_;
  bool is_tls_;
  Guarded<State> state_;
};

}  // namespace portico::http::internal
