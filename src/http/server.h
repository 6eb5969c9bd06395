// An HTTP/1.1 server on TCP, with or without TLS, and on unix sockets.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "http/handler.h"
#include "http/message.h"

namespace portico::http {

/// One address to listen on.
struct Listener {
  std::string host = "127.0.0.1";  // an IP address; "": all addresses, including IPv6
  std::uint16_t port = 0;          // 0: any free port (see Server::ports)
  bool tls = true;
  std::string unix_path = {};  // a socket of mode 0600, instead of host and port; without TLS
};

/// PEM texts, for TLS 1.2 and 1.3.
struct Tls {
  std::string certificate;  // followed by its intermediate CAs
  std::string key;
  /// CAs of client certificates; "" requests none. A client certificate is optional; one from
  /// another CA fails the handshake.
  std::string client_ca = {};
};

/// A class of requests with its own limits. Requests beyond them are answered with 429.
struct Share {
  std::string name;           // "reads"; label of its counts
  std::size_t running = 16;   // most handlers running at once: each is a thread, started on demand
  std::size_t waiting = 400;  // most queued requests
  std::size_t streams = 0;    // most open streams
  // The most that one flow (Place::flow) may use, leaving the rest to other flows; 0: no limit per
  // flow.
  std::size_t running_of_one = 0, streams_of_one = 0;
};

struct Limits {
  std::size_t header_bytes = 64u << 10;  // request line and fields
  std::size_t header_count = 128;
  std::size_t target_bytes = 16u << 10;
  std::size_t connections = 12'000;            // idle ones are closed to make room for new ones
  std::size_t connections_per_client = 4'000;  // by address; by user on a unix socket
  std::size_t body_bytes = 512u << 20;         // of all requests being read or handled
  std::size_t stream_bytes = 16u << 20;        // queued for the reader of one stream
  std::size_t unsent_bytes = 512u << 20;       // of all responses; closes the longest-waiting one
};

struct Times {
  std::chrono::milliseconds handshake = std::chrono::seconds(10);
  std::chrono::milliseconds head = std::chrono::seconds(10);     // from its first byte
  std::chrono::milliseconds body = std::chrono::seconds(60);     // from the end of the head
  std::chrono::milliseconds request = std::chrono::seconds(60);  // from its end to the answer
  std::chrono::milliseconds stalled = std::chrono::seconds(30);  // client reads nothing
  std::chrono::milliseconds idle = std::chrono::seconds(120);    // between two requests
};

struct Options {
  std::vector<Listener> listeners = {Listener{}};
  Tls tls = {};  // required if a listener uses TLS
  std::vector<Share> shares = {Share{.name = "all", .streams = 10'000}};
  Limits limits = {};
  Times times = {};
  std::size_t threads = 2;             // for I/O and encryption; handlers have their own threads
  std::size_t gzip_from = 128u << 10;  // minimum body size in bytes, for clients that accept gzip
  Log* log = nullptr;                  // must outlive the server
};

struct ShareCounts {
  std::string name;
  std::size_t running = 0, waiting = 0, streams = 0;
  std::uint64_t handled = 0, refused = 0;  // since the start; refused: with 429
};

struct Counts {
  std::size_t connections = 0;
  std::uint64_t accepted = 0, turned_away = 0;  // connections since the start
  std::vector<ShareCounts> shares;
};

/// Refuses ambiguous requests: Content-Length together with Transfer-Encoding or repeated, codings
/// other than chunked, folded fields, lines that do not end with CR LF, control characters, and
/// zero or two Host fields. Requests on one connection are answered in order, one at a time.
class Server {
 public:
  /// Listens and serves until stop(). kInvalid for invalid options, kUnavailable if an address
  /// cannot be bound.
  static Result<std::unique_ptr<Server>> start(Options options, std::shared_ptr<Handler> handler);

  virtual ~Server() = default;  // stops, and waits for handlers that still run

  /// The port of each listener, in order; 0 for unix sockets.
  virtual std::vector<std::uint16_t> ports() const = 0;
  /// Applies to future handshakes. kInvalid, without any change, if it is not a valid certificate
  /// and key.
  virtual Result<Done> set_tls(const Tls& tls) = 0;
  virtual Counts counts() const = 0;
  /// Stops accepting, closes idle connections, ends streams and waits at most `grace` for pending
  /// answers; then closes the rest.
  virtual void stop(std::chrono::milliseconds grace) = 0;
};

}  // namespace portico::http
