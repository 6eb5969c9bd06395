// A server of HTTP/1.1 on TCP, with TLS or without, and on unix sockets.
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

/// One address to listen at.
struct Listener {
  std::string host = "127.0.0.1";  // an address; "" is every address, IPv6 included
  std::uint16_t port = 0;          // 0: one that is free (Server::ports)
  bool tls = true;
  std::string unix_path = {};  // a socket of mode 0600 instead of host and port; never with TLS
};

/// PEM texts. TLS 1.2 and 1.3.
struct Tls {
  std::string certificate;  // with those of the CAs between it and the root behind it
  std::string key;
  /// CAs of client certificates; "" asks for none. A client need not have one; one of another CA
  /// fails the handshake.
  std::string client_ca = {};
};

/// The requests of one kind, apart from the others. What is beyond is answered with 429.
struct Share {
  std::string name;           // "reads"; for counts
  std::size_t running = 16;   // handlers at work at once: each is a thread, made when it is needed
  std::size_t waiting = 400;  // requests in line
  std::size_t streams = 0;    // streams open at once
  // Of these one flow (Place::flow) has at most; 0: as many as there are. Others find the rest
  // free.
  std::size_t running_of_one = 0, streams_of_one = 0;
};

struct Limits {
  std::size_t header_bytes = 64u << 10;  // request line and fields
  std::size_t header_count = 128;
  std::size_t target_bytes = 16u << 10;
  std::size_t connections = 12'000;            // idle ones make room for new ones
  std::size_t connections_per_client = 4'000;  // by address; by user on a unix socket
  std::size_t body_bytes = 512u << 20;         // of all requests that are being read or handled
  std::size_t stream_bytes = 16u << 20;        // that wait for the reader of a stream
  std::size_t unsent_bytes = 512u << 20;  // of all responses; the one that waits longest is closed
};

struct Times {
  std::chrono::milliseconds handshake = std::chrono::seconds(10);
  std::chrono::milliseconds head = std::chrono::seconds(10);     // from its first byte
  std::chrono::milliseconds body = std::chrono::seconds(60);     // from the end of the head
  std::chrono::milliseconds request = std::chrono::seconds(60);  // from its end to its answer
  std::chrono::milliseconds stalled = std::chrono::seconds(30);  // nothing of an answer is taken
  std::chrono::milliseconds idle = std::chrono::seconds(120);    // between two requests
};

struct Options {
  std::vector<Listener> listeners = {Listener{}};
  Tls tls = {};  // needed where a listener has TLS
  std::vector<Share> shares = {Share{.name = "all", .streams = 10'000}};
  Limits limits = {};
  Times times = {};
  std::size_t threads = 2;             // that read, write and encrypt; handlers have their own
  std::size_t gzip_from = 128u << 10;  // bytes of a body, for those who accept it
  Log* log = nullptr;                  // outlives the server
};

struct ShareCounts {
  std::string name;
  std::size_t running = 0, waiting = 0, streams = 0;
  std::uint64_t handled = 0, refused = 0;  // since the beginning; refused: 429
};

struct Counts {
  std::size_t connections = 0;
  std::uint64_t accepted = 0, turned_away = 0;  // connections since the beginning
  std::vector<ShareCounts> shares;
};

/// Refuses what can be read in two ways: Content-Length beside Transfer-Encoding or more than once,
/// codings other than chunked, folded fields, lines that do not end with CR LF, control
/// characters, a request without Host or with two. Requests on one connection are answered in
/// order, one at a time.
class Server {
 public:
  /// Listens and serves until stop(). kInvalid for options that cannot be, kUnavailable for an
  /// address that cannot be had.
  static Result<std::unique_ptr<Server>> start(Options options, std::shared_ptr<Handler> handler);

  virtual ~Server() = default;  // stops, and waits for handlers that still run

  /// The port of each listener, in order; 0 for unix sockets.
  virtual std::vector<std::uint16_t> ports() const = 0;
  /// For handshakes from now on. kInvalid, and nothing changes, for what is no certificate and key.
  virtual Result<Done> set_tls(const Tls& tls) = 0;
  virtual Counts counts() const = 0;
  /// Accepts nothing more, closes idle connections, ends streams and waits at most `grace` for
  /// answers that are on their way; closes the rest.
  virtual void stop(std::chrono::milliseconds grace) = 0;
};

}  // namespace portico::http
