// Signed JSON Web Tokens (RFC 7515, 7517, 7519) with ES256 and RS256, as used by Kubernetes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::identity {

/// Base64 in the URL alphabet, without padding.
std::string base64url_encode(std::string_view bytes);
/// kInvalid for anything else: padding, blanks, leftover bits.
Result<std::string> base64url_decode(std::string_view text);

/// The decoded parts of a token; nothing is verified yet.
struct Jwt {
  std::string algorithm;    // header "alg"
  std::string key_id;       // header "kid"; "" if missing
  json::Value claims;       // an object
  std::string signed_text;  // the text that is signed
  std::string signature;
};

/// kInvalid if `text` is not a token in compact form, is larger than 64 KiB, or has a header
/// "crit", which must be refused if not understood. Errors do not contain the text.
Result<Jwt> parse_jwt(std::string_view text);

/// A public key for exactly one algorithm. Immutable; thread-safe.
class VerifyKey {
 public:
  /// From a PEM text: a public key, a private key or a certificate. ECDSA on P-256 or RSA with at
  /// least 2048 bits; otherwise kInvalid.
  static Result<VerifyKey> from_pem(const std::string& pem);
  /// From one key of a JWK set. kInvalid if it is not for signatures or of another kind.
  static Result<VerifyKey> from_jwk(const json::Value& jwk);

  const std::string& algorithm() const { return algorithm_; }  // "ES256" or "RS256"
  /// The key id used in tokens: "kid" of a JWK; for a PEM key the id that Kubernetes derives.
  const std::string& id() const { return id_; }
  /// Whether this key signed the token. The token's header cannot choose the algorithm: false if it
  /// names another one than the key's.
  bool verifies(const Jwt& token) const;
  /// As a JWK with kid, alg and use.
  json::Value jwk() const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
  std::string algorithm_, id_;
};

/// The usable keys of a JWK set (RFC 7517); others are skipped, as the RFC requires. kInvalid if it
/// is not a set.
Result<std::vector<VerifyKey>> parse_jwk_set(std::string_view text);

/// A private key that signs tokens. Immutable; thread-safe.
class SigningKey {
 public:
  static Result<SigningKey> from_pem(const std::string& pem);
  /// Creates a key on P-256, as PEM.
  static Result<std::string> make_pem();

  const VerifyKey& verify_key() const { return verify_; }
  /// Returns the signed token in compact form.
  Result<std::string> sign(const json::Value& claims) const;

 private:
  SigningKey(std::shared_ptr<const void> key, VerifyKey verify)
      : key_(std::move(key)), verify_(std::move(verify)) {}
  std::shared_ptr<const void> key_;
  VerifyKey verify_;
};

/// Checks the claims exp and nbf against `now`, allowing clocks to differ by `leeway`: kInvalid
/// with Reason::kUnauthorized. A token without exp is refused.
Result<Done> check_times(const json::Value& claims, std::int64_t now, std::int64_t leeway);
/// Whether the claim aud, a string or a list, contains `audience`.
bool is_for(const json::Value& claims, std::string_view audience);

}  // namespace portico::identity
