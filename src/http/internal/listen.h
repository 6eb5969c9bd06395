// Sockets that listen, and who is at the other end of those that are accepted.
#pragma once

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "http/server.h"

namespace portico::http::internal {

struct Listening {
  Fd socket;               // does not block
  std::uint16_t port = 0;  // 0 for a unix socket
  std::string unix_path = {};
  bool tls = false;
};

/// kUnavailable for an address that cannot be had: one that is in use, say.
Result<Listening> listen_at(const Listener& listener);

/// Whoever `socket`, just accepted, is connected to.
Peer peer_of(int socket, bool tls);

}  // namespace portico::http::internal
