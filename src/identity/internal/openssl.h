// RAII types for OpenSSL objects, and OpenSSL errors.
#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::identity::internal {

template <auto kFree>
struct Free {
  template <class T>
  void operator()(T* what) const {
    kFree(what);
  }
};
using Bio = std::unique_ptr<BIO, Free<BIO_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Free<EVP_PKEY_CTX_free>>;
using Digest = std::unique_ptr<EVP_MD_CTX, Free<EVP_MD_CTX_free>>;
using Number = std::unique_ptr<BIGNUM, Free<BN_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, Free<ECDSA_SIG_free>>;

/// "<what>: <reason of OpenSSL's last failure in this thread>"; clears OpenSSL's error queue.
Error openssl_error(std::string_view what);

/// The first certificate of a PEM text; kInvalid.
Result<Certificate> read_pem_certificate(const std::string& pem);
/// A private key without a passphrase; kInvalid.
Result<Key> read_pem_key(const std::string& pem);
/// A public key; null if `pem` is not one.
Key read_pem_public_key(const std::string& pem);
std::string pem_of(const X509* certificate);
std::string pem_of(const EVP_PKEY* key);
/// A new key on P-256.
Result<Key> make_key();

}  // namespace portico::identity::internal
