// Signed JSON Web Tokens (RFC 7515, 7517, 7519): ES256 and RS256, which Kubernetes' tokens have.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::identity {

/// Base64 in the alphabet of URLs, without padding.
std::string base64url_encode(std::string_view bytes);
/// kInvalid for anything else: padding, blanks, bits that are left over.
Result<std::string> base64url_decode(std::string_view text);

/// The parts of a token, decoded. Nothing is verified yet.
struct Jwt {
  std::string algorithm;    // header "alg"
  std::string key_id;       // header "kid"; "" where there is none
  json::Value claims;       // an object
  std::string signed_text;  // what the signature is over
  std::string signature;
};

/// kInvalid for what is no token in compact form, is larger than 64 KiB, or asks for something that
/// whoever does not know it must refuse (header "crit"). The text is not shown in errors.
Result<Jwt> parse_jwt(std::string_view text);

/// A public key, and the one algorithm that it is for. Immutable; safe from any thread.
class VerifyKey {
 public:
  /// Of a PEM text: a public key, a private one or a certificate. ECDSA on P-256 or RSA of at
  /// least 2048 bits; kInvalid.
  static Result<VerifyKey> from_pem(const std::string& pem);
  /// Of one key of a JWK set. kInvalid for keys that are not for signatures or of other kinds.
  static Result<VerifyKey> from_jwk(const json::Value& jwk);

  const std::string& algorithm() const { return algorithm_; }  // "ES256" or "RS256"
  /// What tokens name it by: "kid" of a JWK; of a PEM key the one that Kubernetes gives it.
  const std::string& id() const { return id_; }
  /// Whether the signature of the token is by this key. The header of the token has no say in how
  /// it is verified: another algorithm than the key's is false.
  bool verifies(const Jwt& token) const;
  /// As a JWK with kid, alg and use.
  json::Value jwk() const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
  std::string algorithm_, id_;
};

/// The keys of a set (RFC 7517) that can be used; others are left out, as that RFC says. kInvalid
/// where it is no set.
Result<std::vector<VerifyKey>> parse_jwk_set(std::string_view text);

/// A private key that signs. Immutable; safe from any thread.
class SigningKey {
 public:
  static Result<SigningKey> from_pem(const std::string& pem);
  /// A new one on P-256, as PEM.
  static Result<std::string> make_pem();

  const VerifyKey& verify_key() const { return verify_; }
  /// The token in compact form.
  Result<std::string> sign(const json::Value& claims) const;

 private:
  SigningKey(std::shared_ptr<const void> key, VerifyKey verify)
      : key_(std::move(key)), verify_(std::move(verify)) {}
  std::shared_ptr<const void> key_;
  VerifyKey verify_;
};

/// Checks the claims exp and nbf against `now`, of clocks that differ by `leeway` at most: kInvalid
/// with Reason::kUnauthorized. A token without exp is refused.
Result<Done> check_times(const json::Value& claims, std::int64_t now, std::int64_t leeway);
/// Whether the claim aud, one text or several, has `audience`.
bool is_for(const json::Value& claims, std::string_view audience);

}  // namespace portico::identity
