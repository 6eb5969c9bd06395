// Listening sockets, and the peers of accepted ones.
#pragma once

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "http/server.h"

namespace portico::http::internal {

struct Listening {
  Fd socket;               // non-blocking
  std::uint16_t port = 0;  // 0 for a unix socket
  std::string unix_path = {};
  bool tls = false;
};

/// kUnavailable if the address cannot be bound, for example because it is in use.
Result<Listening> listen_at(const Listener& listener);

/// The peer of a newly accepted socket.
Peer peer_of(int socket, bool tls);

}  // namespace portico::http::internal
