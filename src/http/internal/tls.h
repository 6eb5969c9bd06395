// OpenSSL server contexts and client certificates.
#pragma once

#include <openssl/bio.h>
#include <openssl/types.h>

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "http/message.h"
#include "http/server.h"

namespace portico::http::internal {

struct SslDeleter {
  void operator()(SSL_CTX* context) const;
  void operator()(SSL* ssl) const;
  void operator()(BIO_METHOD* method) const;
  void operator()(EVP_PKEY* key) const;
};
using SslContext = std::unique_ptr<SSL_CTX, SslDeleter>;
using Ssl = std::unique_ptr<SSL, SslDeleter>;
using EvpKey = std::unique_ptr<EVP_PKEY, SslDeleter>;

/// State shared by all handshakes with one set of certificates. Immutable; thread-safe.
class TlsContext {
 public:
  static Result<std::shared_ptr<const TlsContext>> make(const Tls& tls);

  /// The server side of TLS on a non-blocking socket, which the caller owns. Must not outlive this
  /// object. Null if out of memory.
  Ssl accept(int fd) const;

  /// The client's verified certificate; nullopt if it sent none. Call once, after the handshake:
  /// the certificate's key is freed.
  std::optional<ClientCertificate> take_certificate(SSL* ssl) const;

 private:
  TlsContext() = default;
  SslContext context_;
  std::unique_ptr<BIO_METHOD, SslDeleter> socket_;
  EvpKey small_key_;  // replaces the keys of certificates already read; may be null
};

/// The reason of the last OpenSSL error in this thread; clears the error queue.
std::string openssl_error();

}  // namespace portico::http::internal
