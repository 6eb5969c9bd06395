// Service account tokens, as signed by Kubernetes.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/request.h"
#include "base/clock.h"
#include "base/result.h"
#include "identity/jwt.h"

namespace portico::identity {

/// Looks up existing service accounts.
class ServiceAccounts {
 public:
  virtual ~ServiceAccounts() = default;
  /// The uid of an existing account that is not being deleted; kNotFound. Thread-safe.
  virtual Result<std::string> uid_of(std::string_view ns, std::string_view name) const = 0;
};

/// What a token is issued for (TokenRequest).
struct TokenOrder {
  std::string ns, name, uid;
  std::vector<std::string> audiences = {};  // empty: the issuer's own
  std::chrono::seconds lifetime = std::chrono::hours(1);
};
struct IssuedToken {
  std::string token;
  TimePoint expires;
  std::vector<std::string> audiences;
};

struct ServiceAccountOptions {
  std::string issuer = "https://kubernetes.default.svc.cluster.local";
  std::vector<std::string> audiences = {"https://kubernetes.default.svc"};  // of the API server
};

/// The signing key in `folder`: sa.key, of mode 0600, created if missing.
Result<SigningKey> open_signing_key(const std::string& folder);

/// Issues and verifies tokens. Thread-safe.
class ServiceAccountTokens {
 public:
  /// `older`: keys whose tokens are still accepted. `accounts` and `clock` must outlive this.
  ServiceAccountTokens(ServiceAccountOptions options, SigningKey key, std::vector<VerifyKey> older,
                       const ServiceAccounts& accounts, const Clock& clock);

  const ServiceAccountOptions& options() const { return options_; }
  Result<IssuedToken> issue(const TokenOrder& order) const;

  /// Whether the token names this issuer.
  bool is_ours(const Jwt& token) const;
  /// Whether one of the keys signed the token; nothing else is checked.
  bool has_signed(const Jwt& token) const;
  /// The user of a token that has_signed(): checks that it has not expired, is for one of
  /// `audiences` (empty: those of the API server), and that the account exists with that uid.
  /// kInvalid with Reason::kUnauthorized.
  Result<access::User> user_of(const json::Value& claims,
                               const std::vector<std::string>& audiences) const;
  /// The public keys as a JWK set.
  json::Value jwk_set() const;

 private:
  ServiceAccountOptions options_;
  SigningKey key_;
  std::vector<VerifyKey> verify_;
  const ServiceAccounts& accounts_;
  const Clock& clock_;
};

}  // namespace portico::identity
