// The interface of a server's request handler.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "http/message.h"

namespace portico::http {

/// The queue position of a request.
struct Place {
  std::size_t share = 0;  // index into Options::shares
  /// A flow is typically a user: its requests are queued in order, and flows take turns. Share has
  /// per-flow limits.
  std::string flow = {};
};

/// A request that the server refuses itself.
struct Refusal {
  int status = 400;
  std::string why;                      // one line, human-readable
  std::chrono::seconds retry_after{0};  // value for the Retry-After header; 0: none
  /// As much as is known: method, target, headers and peer, or only the peer.
  const Request* request = nullptr;
};

/// Called by several server threads at once. The methods must not throw.
class Handler {
 public:
  virtual ~Handler() = default;

  /// Answers the request. May block, within the limits of its share (Options::shares); an answer
  /// later than Times::request is discarded.
  virtual Answer handle(Request request) = 0;

  // The methods below are called by the threads that serve all connections: they must be quick and
  // must not block.

  /// Classifies a request by its head, before its body is read.
  virtual Place place(const Request& head);  // {0, the address of the peer}
  /// The maximum size of the body in bytes.
  virtual std::size_t body_limit(const Request& head);  // 3 MiB, like kube-apiserver
  /// The response to a request that the server refuses. The server adds Retry-After and closes the
  /// connection if necessary.
  virtual Response refuse(const Refusal& refusal);  // text/plain: "<why>\n"
};

}  // namespace portico::http
