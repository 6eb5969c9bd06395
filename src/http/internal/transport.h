// A connected non-blocking socket, in plain text or with TLS.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/fd.h"
#include "http/internal/tls.h"

namespace portico::http::internal {

/// Not thread-safe.
class Transport {
 public:
  /// The result of a call: bytes moved, or what to wait for first.
  struct Moved {
    enum class Then { kOk, kWantRead, kWantWrite, kEnd, kBroken } then = Then::kOk;
    std::size_t bytes = 0;
  };

  /// With `tls`, a handshake must come first.
  Transport(Fd socket, std::shared_ptr<const TlsContext> tls);

  int fd() const { return socket_.get(); }
  bool is_tls() const { return ssl_ != nullptr; }
  /// kOk when the handshake is complete.
  Moved handshake();
  /// Call once, after the handshake.
  std::optional<ClientCertificate> take_certificate();

  Moved read(char* bytes, std::size_t size);
  /// Writes as much as possible without blocking. After kWantRead or kWantWrite, the next call must
  /// begin with the same bytes.
  Moved write(std::span<const std::string_view> pieces);
  /// Bytes were taken from the socket but not yet returned by read(): call read() again, because
  /// the socket may not become readable. read() may still want more.
  bool has_more() const;

  /// Shuts down the sending side and notifies the peer.
  void finish();
  /// Reads and discards what the socket has; call after finish().
  Moved discard();
  /// Closes the socket; no other call may follow.
  void close();

 private:
  Moved after(int result);
  Fd socket_;
  std::shared_ptr<const TlsContext> tls_;  // must outlive the objects it made
  Ssl ssl_;
};

}  // namespace portico::http::internal
