// Tokens of service accounts, as Kubernetes signs them.
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

/// Which service accounts there are.
class ServiceAccounts {
 public:
  virtual ~ServiceAccounts() = default;
  /// The uid of an account that is there and not being deleted; kNotFound. Safe from any thread.
  virtual Result<std::string> uid_of(std::string_view ns, std::string_view name) const = 0;
};

/// For whom a token is made (TokenRequest).
struct TokenOrder {
  std::string ns, name, uid;
  std::vector<std::string> audiences = {};  // none: the issuer's own
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

/// The key in `folder`: sa.key, of mode 0600, made where there is none.
Result<SigningKey> open_signing_key(const std::string& folder);

/// Issues and verifies. Safe from any thread.
class ServiceAccountTokens {
 public:
  /// `older`: keys of tokens that are still good. What is pointed to outlives this.
  ServiceAccountTokens(ServiceAccountOptions options, SigningKey key, std::vector<VerifyKey> older,
                       const ServiceAccounts& accounts, const Clock& clock);

  const ServiceAccountOptions& options() const { return options_; }
  Result<IssuedToken> issue(const TokenOrder& order) const;

  /// Whether the token claims to be of this issuer.
  bool is_ours(const Jwt& token) const;
  /// Whether one of the keys has signed it; nothing else is looked at.
  bool has_signed(const Jwt& token) const;
  /// The user of a token that has_signed(): not expired, for one of `audiences` (none: those of the
  /// API server), of an account that is there with that uid. kInvalid with Reason::kUnauthorized.
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
