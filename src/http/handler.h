// What a server asks of whoever answers its requests.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "http/message.h"

namespace portico::http {

/// Where a request stands in line.
struct Place {
  std::size_t share = 0;  // index into Options::shares
  /// Requests of one flow wait for each other, and flows take turns: a user. Share has limits for
  /// one flow.
  std::string flow = {};
};

/// A request that is answered by the server itself.
struct Refusal {
  int status = 400;
  std::string why;                      // one line, for people
  std::chrono::seconds retry_after{0};  // a header Retry-After that the response needs; 0: none
  /// As much of it as is known: method, target, headers and peer, or only the peer.
  const Request* request = nullptr;
};

/// Its methods are called by several threads of the server at once, and throw nothing.
class Handler {
 public:
  virtual ~Handler() = default;

  /// The answer. May block, within the share of the request (Options::shares); after Times::request
  /// nobody waits for it any more.
  virtual Answer handle(Request request) = 0;

  // The rest is asked by the threads that serve all connections: no call may block, and none may
  // take long.

  /// By the head of a request, before its body is read.
  virtual Place place(const Request& head);  // {0, the address of the peer}
  /// How many bytes its body may have at most.
  virtual std::size_t body_limit(const Request& head);  // 3 MiB, as kube-apiserver
  /// The response for a request that the server refuses; the server adds Retry-After and closes
  /// the connection where it must.
  virtual Response refuse(const Refusal& refusal);  // text/plain: "<why>\n"
};

}  // namespace portico::http
