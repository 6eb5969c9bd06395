// Authenticates the user of a request.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/request.h"
#include "base/guarded.h"
#include "base/lru_cache.h"
#include "base/result.h"
#include "http/message.h"
#include "identity/front_proxy.h"
#include "identity/oidc.h"
#include "identity/service_accounts.h"
#include "identity/token_file.h"

namespace portico::identity {

struct AuthenticatorOptions {
  /// Client certificates identify users only if they were issued by the CA with this SHA-256 (hex
  /// of its DER); "": by any CA that the server accepts.
  std::string client_ca_sha256 = {};
  TokenTable tokens = {};
  std::shared_ptr<const ServiceAccountTokens> service_accounts = {};  // may be null
  std::shared_ptr<Oidc> oidc = {};                                    // may be null
  /// Clients on a unix socket that run as this user, or as root, and send no other credentials.
  std::optional<uid_t> owner = {};
  access::User owner_user = {.name = "system:admin",
                             .groups = {std::string(access::kMasters), "system:authenticated"}};
  /// Requests through this proxy have the user that it names; a certificate from its authority
  /// never identifies a user itself.
  std::optional<FrontProxy> front_proxy = {};
  bool anonymous = false;  // requests without credentials are system:anonymous
  /// Reviews a token that nothing above recognizes. kInvalid with Reason::kUnauthorized if it is
  /// not valid. Empty: such tokens are not valid. Must be thread-safe.
  std::function<Result<access::User>(const std::string& token)> review_elsewhere = {};
};

/// Thread-safe. The signature of a token is verified once in five minutes; its times, and whether
/// the account still exists, are checked every time.
class Authenticator {
 public:
  /// `clock` must outlive this.
  Authenticator(AuthenticatorOptions options, const Clock& clock);

  /// Like kube-apiserver: the front proxy's headers come first, then the certificate, then the
  /// bearer token; other kinds of Authorization are ignored. kInvalid with Reason::kUnauthorized
  /// for an invalid token, and without credentials if anonymous access is off; kUnavailable if
  /// authentication is not possible now.
  Result<access::User> user_of(const http::Request& request);

  /// Applies to future requests; nullopt: no proxy.
  void set_front_proxy(std::optional<FrontProxy> proxy);

  /// For a TokenReview: the user of a token, and which of `audiences` (empty: the server's) the
  /// token is for. Tokens that name no Kubernetes audience, such as static and OpenID Connect
  /// tokens, are for the server's audiences only. kInvalid with Reason::kUnauthorized for an
  /// invalid token, and for one that is for none of `audiences`.
  struct Reviewed {
    access::User user;
    std::vector<std::string> audiences;
  };
  Result<Reviewed> review(std::string_view token, const std::vector<std::string>& audiences);

 private:
  enum class Signer { kServiceAccounts, kOidc };
  struct Known {
    Signer signer;
    json::Value claims;
  };
  struct TokenUser {
    access::User user;
    std::optional<Known> known;  // nullopt for a static token
  };
  Result<Known> verified(std::string_view token, const std::string& digest);
  Result<TokenUser> user_of_token(std::string_view token,
                                  const std::vector<std::string>& audiences);

  const AuthenticatorOptions options_;
  Guarded<std::shared_ptr<const FrontProxy>> front_proxy_;  // null: no proxy
  const Clock& clock_;
  Guarded<LruCache<Known>> known_;
};

/// The token of "Authorization: Bearer TOKEN"; "" if there is none.
std::string_view bearer_token(std::string_view authorization);

}  // namespace portico::identity
