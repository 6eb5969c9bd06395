// OpenSSL's contexts for servers, and what a client's certificate says.
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

/// What all handshakes with one set of certificates share. Immutable; safe from any thread.
class TlsContext {
 public:
  static Result<std::shared_ptr<const TlsContext>> make(const Tls& tls);

  /// A server's end on a non-blocking socket, which stays the caller's; must go before this does.
  /// Null where there is no memory for it.
  Ssl accept(int fd) const;

  /// What the certificate says that the client showed, which has been verified; nothing where it
  /// has none. To be asked for once, after the handshake: the key of the certificate goes.
  std::optional<ClientCertificate> take_certificate(SSL* ssl) const;

 private:
  TlsContext() = default;
  SslContext context_;
  std::unique_ptr<BIO_METHOD, SslDeleter> socket_;
  EvpKey small_key_;  // in the place of those that have gone; may be null
};

/// What OpenSSL has to say about the last failure in this thread, which is forgotten then.
std::string openssl_error();

}  // namespace portico::http::internal
