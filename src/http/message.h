// What goes over HTTP: requests, responses and streams. Nothing here knows a socket.
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

/// What a TLS client proved to be: its certificate, which a CA of Tls::client_ca_pem has issued.
struct ClientCertificate {
  std::string common_name = {};                 // the last CN of the subject; "" where it has none
  std::vector<std::string> organizations = {};  // O, in the subject's order
  std::string sha256 = {};                      // of the certificate's DER, 64 hex digits
  std::string issuer_sha256 = {};  // of the certificate of the CA at the end of the chain, so that
                                   // several CAs can be told apart
};

/// The process at the other end of a unix socket, as the kernel knows it.
struct UnixPeer {
  uid_t uid = 0;
  gid_t gid = 0;
  pid_t pid = 0;
};

/// Who is at the other end of a connection; the same for all its requests.
struct Peer {
  std::string address;  // "192.0.2.1", "2001:db8::1"; "unix" for a unix socket
  std::uint16_t port = 0;
  bool tls = false;
  std::optional<ClientCertificate> certificate = {};
  std::optional<UnixPeer> unix_peer = {};
};

struct Request {
  std::string method = "GET";  // as it was sent; methods are written in capitals
  std::string target = "/";    // origin form, as it was sent: begins with '/', still escaped
  Headers headers = {};
  std::string body = {};
  std::shared_ptr<const Peer> peer = {};  // never null in what a server hands to its handler
  std::stop_token stopping = {};          // the server is being stopped: come to an end

  /// The two parts of the target, still escaped (escape.h decodes them).
  std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
  std::string_view query() const {
    const std::size_t mark = target.find('?');
    return mark == std::string::npos ? std::string_view()
                                     : std::string_view(target).substr(mark + 1);
  }
};

struct Response {
  int status = 200;
  Headers headers = {};  // without Content-Length, Date, Connection: those are the server's
  std::string body = {};
};

/// One piece of a stream. Shared by all who are sent the same.
using Chunk = std::shared_ptr<const std::string>;

/// An answer that goes on, as a watch does: its writer's end. Safe from any thread, and no call
/// waits for the reader.
class Stream {
 public:
  virtual ~Stream() = default;

  /// Adds a chunk to what is to be sent. False where the stream is over, or is closed now because
  /// more than Limits::stream_bytes wait for the reader.
  virtual bool write(Chunk chunk) = 0;
  /// Nothing more will come: what waits is sent, then the response ends properly.
  virtual void end() = 0;
  /// Bytes that wait for the reader.
  virtual std::size_t waiting() const = 0;

  /// Calls `closed` once when the stream is over, whoever ended it: at once where it is already.
  /// Called by a thread of the server, never from within write() or end().
  virtual void on_close(std::function<void()> closed) = 0;
  /// Calls `room` each time that everything written has been sent, so that a writer of much can
  /// give as much as is taken. Called as on_close, by one thread at a time; the call that was under
  /// way when the stream ended may return after on_close.
  virtual void on_room(std::function<void()> room) = 0;
};

/// A response whose body is a stream. `start` is called once, on the thread of the handler, when
/// the head is on its way; it may write at once and keeps the stream for as long as it writes.
struct Streaming {
  Response head = {};  // its body is not looked at
  std::function<void(std::shared_ptr<Stream>)> start = {};
};

using Answer = std::variant<Response, Streaming>;

/// "OK", "Not Found"; "Unknown" for a number without a name.
std::string_view reason_phrase(int status);

}  // namespace portico::http
