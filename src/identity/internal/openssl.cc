#include "identity/internal/openssl.h"

#include <openssl/err.h>
#include <openssl/pem.h>

namespace portico::identity::internal {
namespace {

Bio bio_of(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::string text_of(BIO* bio) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio, &bytes);
  return {bytes, static_cast<std::size_t>(size > 0 ? size : 0)};
}

}  // namespace

Error openssl_error(std::string_view what) {
  const unsigned long code = ERR_peek_last_error();
  ERR_clear_error();
  const char* const reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
  return portico::internal("{}: {}", what, reason != nullptr ? reason : "unknown error");
}

Result<Certificate> read_pem_certificate(const std::string& pem) {
  Certificate certificate(PEM_read_bio_X509(bio_of(pem).get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (!certificate) return invalid("not a PEM certificate");
  return certificate;
}

Result<Key> read_pem_key(const std::string& pem) {
  // Never prompt for a passphrase on the terminal.
  const auto no_passphrase = [](char*, int, int, void*) { return -1; };
  Key key(PEM_read_bio_PrivateKey(bio_of(pem).get(), nullptr, no_passphrase, nullptr));
  ERR_clear_error();
  if (!key) return invalid("not an unencrypted PEM private key");
  return key;
}

Key read_pem_public_key(const std::string& pem) {
  Key key(PEM_read_bio_PUBKEY(bio_of(pem).get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  return key;
}

std::string pem_of(const X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(bio.get(), certificate);
  return text_of(bio.get());
}

std::string pem_of(const EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  return text_of(bio.get());
}

Result<Key> make_key() {
  Key key(EVP_EC_gen("P-256"));
  if (!key) return openssl_error("cannot generate a key");
  return key;
}

}  // namespace portico::identity::internal
