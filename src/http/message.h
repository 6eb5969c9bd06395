// HTTP messages: requests, responses and streams. Independent of sockets.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "http/headers.h"

namespace portico::http {

/// The verified certificate of a TLS client, issued by a CA of Tls::client_ca.
struct ClientCertificate {
  std::string common_name = {};                 // the last CN of the subject; "" if none
  std::vector<std::string> organizations = {};  // O, in the subject's order
  std::string sha256 = {};                      // of the certificate in DER, 64 hex digits
  std::string issuer_sha256 = {};  // of the CA at the end of the chain, to tell CAs apart
};

/// The process at the other end of a unix socket, as reported by the kernel.
struct UnixPeer {
  uid_t uid = 0;
  gid_t gid = 0;
  pid_t pid = 0;
};

/// The other end of a connection; the same for all its requests.
struct Peer {
  std::string address;  // "192.0.2.1", "2001:db8::1"; "unix" for a unix socket
  std::uint16_t port = 0;
  bool tls = false;
  std::optional<ClientCertificate> certificate = {};
  std::optional<UnixPeer> unix_peer = {};
};

struct Request {
  std::string method = "GET";  // as sent; methods are upper case
  std::string target = "/";    // origin form, as sent: begins with '/', still escaped
  Headers headers = {};
  std::string body = {};
  std::shared_ptr<const Peer> peer = {};  // never null in a request passed to a handler
  std::stop_token stopping = {};          // requested when the server stops: finish soon

  /// The path and query of the target, still escaped (escape.h decodes them).
  std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
  std::string_view query() const {
    const std::size_t mark = target.find('?');
    return mark == std::string::npos ? std::string_view()
                                     : std::string_view(target).substr(mark + 1);
  }
};

struct Response {
  int status = 200;
  Headers headers = {};  // without Content-Length, Date, Connection: the server sets those
  std::string body = {};
};

/// One piece of a stream, shared by all streams that send it.
using Chunk = std::shared_ptr<const std::string>;

/// The writer's end of an answer that continues, such as a watch. Thread-safe; no call blocks on
/// the reader.
class Stream {
 public:
  virtual ~Stream() = default;

  /// Queues a chunk. Returns false if the stream is over, or is now closed because more than
  /// Limits::stream_bytes are queued.
  virtual bool write(Chunk chunk) = 0;
  /// No more chunks will follow: sends what is queued, then ends the response properly.
  virtual void end() = 0;
  /// Queued bytes.
  virtual std::size_t waiting() const = 0;

  /// Calls `closed` once when the stream is over, whichever side ended it; immediately if it is
  /// over already. Otherwise called by a server thread, never from within write() or end().
  virtual void on_close(std::function<void()> closed) = 0;
  /// Calls `room` each time that everything written has been sent, so that a producer of much data
  /// can write as fast as the reader takes it. Called like on_close, by one thread at a time; a
  /// call in progress when the stream ends may return after on_close.
  virtual void on_room(std::function<void()> room) = 0;
};

/// A response whose body is a stream. `start` is called once, on the handler thread, after the head
/// was queued for sending. It may write at once; it must hold a reference to the stream while it
/// writes.
struct Streaming {
  Response head = {};  // its body is ignored
  std::function<void(std::shared_ptr<Stream>)> start = {};
};

using Answer = std::variant<Response, Streaming>;

/// "OK", "Not Found"; "Unknown" for an unregistered number.
std::string_view reason_phrase(int status);

}  // namespace portico::http
