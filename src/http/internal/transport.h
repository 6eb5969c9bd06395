// A connected socket that does not block, in plain text or under TLS.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/fd.h"
#include "http/internal/tls.h"

namespace portico::http::internal {

/// Not for several threads at once.
class Transport {
 public:
  /// What came of a call: bytes, or what to wait for first.
  struct Moved {
    enum class Then { kOk, kWantRead, kWantWrite, kEnd, kBroken } then = Then::kOk;
    std::size_t bytes = 0;
  };

  /// With `tls`, a handshake comes first.
  Transport(Fd socket, std::shared_ptr<const TlsContext> tls);

  int fd() const { return socket_.get(); }
  bool is_tls() const { return ssl_ != nullptr; }
  /// kOk when it is complete.
  Moved handshake();
  /// To be asked for once, after the handshake.
  std::optional<ClientCertificate> take_certificate();

  Moved read(char* bytes, std::size_t size);
  /// As much as goes at once. After kWantRead or kWantWrite the same bytes come first again.
  Moved write(std::span<const std::string_view> pieces);
  /// Bytes have been taken from the socket that read() has not handed out: it is to be called, as
  /// the socket may not become readable. It can still want more.
  bool has_more() const;

  /// No more is written: the peer is told.
  void finish();
  /// Reads and forgets what the socket has; after finish().
  Moved discard();
  /// The socket is closed; nothing else may be called after it.
  void close();

 private:
  Moved after(int result);
  Fd socket_;
  std::shared_ptr<const TlsContext> tls_;  // which outlives what it has made
  Ssl ssl_;
};

}  // namespace portico::http::internal
