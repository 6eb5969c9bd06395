#include "http/internal/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace portico::http::internal {
namespace {

template <auto kFree>
struct Free {
  template <class T>
  void operator()(T* what) const {
    kFree(what);
  }
};
using Bio = std::unique_ptr<BIO, Free<BIO_free>>;
using X509Ptr = std::unique_ptr<X509, Free<X509_free>>;

// Mozilla's "intermediate" list without finite-field Diffie-Hellman.
constexpr const char* kTls12Ciphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr const char* kGroups = "X25519:P-256:P-384";

// A socket BIO that uses send() instead of write(): no SIGPIPE if the peer has disconnected.
int socket_of(BIO* bio) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(bio)));
}

int write_socket(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto sent = ::send(socket_of(bio), bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
  if (sent < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}

int read_socket(BIO* bio, char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto got = ::recv(socket_of(bio), bytes, static_cast<std::size_t>(size), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_read(bio);
  return static_cast<int>(got);
}

long control_socket(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

int choose_protocol(SSL*, const unsigned char** out, unsigned char* size, const unsigned char* in,
                    unsigned int in_size, void*) {
  static constexpr std::array<unsigned char, 9> kOurs = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, size, kOurs.data(), kOurs.size(), in, in_size) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

Bio text_bio(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// All certificates of a PEM text; other text is skipped.
std::vector<X509Ptr> read_certificates(const std::string& pem) {
  std::vector<X509Ptr> certificates;
  const Bio bio = text_bio(pem);
  while (X509* one = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr))
    certificates.emplace_back(one);
  ERR_clear_error();
  return certificates;
}

Result<Done> use_identity(SSL_CTX* context, const Tls& tls) {
  const auto chain = read_certificates(tls.certificate);
  if (chain.empty()) return invalid("the server certificate is not a PEM certificate");
  if (SSL_CTX_use_certificate(context, chain.front().get()) != 1)
    return invalid("cannot use the server certificate: {}", openssl_error());
  for (std::size_t i = 1; i < chain.size(); ++i)
    if (SSL_CTX_add1_chain_cert(context, chain[i].get()) != 1)
      return invalid("cannot use certificate {} of the server certificate chain: {}", i + 1,
                     openssl_error());
  const Bio bio = text_bio(tls.key);
  // Refuse an encrypted key instead of asking for its passphrase on the terminal.
  const auto no_passphrase = [](char*, int, int, void*) { return -1; };
  const EvpKey key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr));
  if (!key) {
    ERR_clear_error();
    return invalid("the server key is not an unencrypted PEM private key");
  }
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    ERR_clear_error();
    return invalid("the server key does not match the server certificate");
  }
  return Done{};
}

Result<Done> use_client_ca(SSL_CTX* context, const std::string& pem) {
  const auto authorities = read_certificates(pem);
  if (authorities.empty()) return invalid("the client CA is not a PEM certificate");
  for (const X509Ptr& one : authorities) {
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), one.get()) != 1 ||
        SSL_CTX_add_client_CA(context, one.get()) != 1)
      return invalid("cannot use a client CA certificate: {}", openssl_error());
  }
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  return Done{};
}

std::string digest(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  if (X509_digest(certificate, EVP_sha256(), bytes.data(), &size) != 1) return {};
  return hex(bytes.data(), size);
}

std::vector<std::string> entries(const X509_NAME* name, int nid) {
  std::vector<std::string> values;
  for (int at = -1; (at = X509_NAME_get_index_by_NID(name, nid, at)) >= 0;) {
    unsigned char* text = nullptr;
    const int size =
        ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at)));
    if (size >= 0) values.emplace_back(reinterpret_cast<const char*>(text), size);
    OPENSSL_free(text);
  }
  return values;
}

}  // namespace

void SslDeleter::operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
void SslDeleter::operator()(SSL* ssl) const { SSL_free(ssl); }
void SslDeleter::operator()(BIO_METHOD* method) const { BIO_meth_free(method); }
void SslDeleter::operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }

std::string openssl_error() {
  const unsigned long code = ERR_peek_last_error();
  ERR_clear_error();
  const char* const reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
  return reason != nullptr ? reason : "unknown error";
}

namespace {

// Returns any key; null if OpenSSL fails. Set up this way, it is copied into a certificate in under
// a microsecond; a key from EVP_PKEY_new_raw_public_key takes a hundred.
EvpKey small_key() {
  constexpr std::array<unsigned char, 32> kAnyPoint = {9};
  EvpKey key(EVP_PKEY_new());
  const bool is_made =
      key != nullptr && EVP_PKEY_set_type(key.get(), EVP_PKEY_X25519) == 1 &&
      EVP_PKEY_set1_encoded_public_key(key.get(), kAnyPoint.data(), kAnyPoint.size()) == 1;
  if (!is_made) key.reset();
  ERR_clear_error();
  return key;
}

}  // namespace

Result<std::shared_ptr<const TlsContext>> TlsContext::make(const Tls& tls) {
  const std::shared_ptr<TlsContext> made(new TlsContext);
  made->context_.reset(SSL_CTX_new(TLS_server_method()));
  made->socket_.reset(BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_TYPE_DESCRIPTOR, "portico socket"));
  made->small_key_ = small_key();
  SSL_CTX* const context = made->context_.get();
  BIO_METHOD* const method = made->socket_.get();
  if (context == nullptr || method == nullptr) return unavailable("cannot allocate memory for TLS");
  BIO_meth_set_write(method, write_socket);
  BIO_meth_set_read(method, read_socket);
  BIO_meth_set_ctrl(method, control_socket);
  BIO_meth_set_create(method, [](BIO* bio) {
    BIO_set_init(bio, 1);
    return 1;
  });
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  // Renegotiation and compression only help attackers. No tickets: connections stay open, and a
  // ticket would outlive the certificates.
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  // Thousands of idle connections must not each keep a buffer.
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // Read a record with one system call instead of one for its header and one for the rest.
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
  if (SSL_CTX_set_cipher_list(context, kTls12Ciphers) != 1 ||
      SSL_CTX_set1_groups_list(context, kGroups) != 1)
    return invalid("OpenSSL rejects the cipher list: {}", openssl_error());
  PORTICO_DO(use_identity(context, tls), "TLS");
  if (!tls.client_ca.empty()) PORTICO_DO(use_client_ca(context, tls.client_ca), "TLS");
  return std::shared_ptr<const TlsContext>(made);
}

Ssl TlsContext::accept(int fd) const {
  Ssl ssl(SSL_new(context_.get()));
  BIO* const bio = ssl ? BIO_new(socket_.get()) : nullptr;
  if (bio == nullptr) return nullptr;
  BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(fd)));
  SSL_set_bio(ssl.get(), bio, bio);
  SSL_set_accept_state(ssl.get());
  return ssl;
}

std::optional<ClientCertificate> TlsContext::take_certificate(SSL* ssl) const {
  X509* const shown = SSL_get0_peer_certificate(ssl);
  if (shown == nullptr || SSL_get_verify_result(ssl) != X509_V_OK) return std::nullopt;
  const X509_NAME* const subject = X509_get_subject_name(shown);
  ClientCertificate certificate;
  if (auto names = entries(subject, NID_commonName); !names.empty())
    certificate.common_name = std::move(names.back());
  certificate.organizations = entries(subject, NID_organizationName);
  certificate.sha256 = digest(shown);
  if (const STACK_OF(X509)* chain = SSL_get0_verified_chain(ssl); chain != nullptr)
    certificate.issuer_sha256 = digest(sk_X509_value(chain, sk_X509_num(chain) - 1));
  // OpenSSL keeps the certificate until the connection ends, and its key is most of it: two of some
  // twenty kilobytes, unused after the handshake.
  if (small_key_ && X509_set_pubkey(shown, small_key_.get()) != 1) ERR_clear_error();
  return certificate;
}

}  // namespace portico::http::internal
