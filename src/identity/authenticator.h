// Who sends a request.
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
  /// What a certificate of a client stands for, and to whom: that of the CA with this SHA-256 (hex
  /// of its DER); "" for every CA that the server takes.
  std::string client_ca_sha256 = {};
  TokenTable tokens = {};
  std::shared_ptr<const ServiceAccountTokens> service_accounts = {};  // may be null
  std::shared_ptr<Oidc> oidc = {};                                    // may be null
  /// Who comes through a unix socket as this user, or as root, without other credentials.
  std::optional<uid_t> owner = {};
  access::User owner_user = {.name = "system:admin",
                             .groups = {std::string(access::kMasters), "system:authenticated"}};
  /// Whoever comes through this proxy is who it says; a certificate of its authority is no user's.
  std::optional<FrontProxy> front_proxy = {};
  bool anonymous = false;  // without credentials: system:anonymous
  /// Whose token it is that nothing above knows: kInvalid, Reason::kUnauthorized, where it is not
  /// good. Empty: it is not. Safe from any thread.
  std::function<Result<access::User>(const std::string& token)> review_elsewhere = {};
};

/// Safe from any thread. Signatures of tokens are verified once in five minutes; times and whether
/// the account is still there are looked at each time.
class Authenticator {
 public:
  /// `clock` outlives this.
  Authenticator(AuthenticatorOptions options, const Clock& clock);

  /// As kube-apiserver: what the front proxy says counts first, then the certificate, then the
  /// bearer token; other kinds of Authorization are no credentials. kInvalid with
  /// Reason::kUnauthorized for a token that is not good, and where there are no credentials and
  /// nobody is let in without; kUnavailable where it cannot be told now.
  Result<access::User> user_of(const http::Request& request);

  /// From now on; nothing: there is none.
  void set_front_proxy(std::optional<FrontProxy> proxy);

  /// For a TokenReview: the user of a token, and which of `audiences` (none: the server's) it is
  /// for.
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
    std::optional<Known> known;  // nothing for a static token
  };
  Result<Known> verified(std::string_view token, const std::string& digest);
  Result<TokenUser> user_of_token(std::string_view token,
                                  const std::vector<std::string>& audiences);

  const AuthenticatorOptions options_;
  Guarded<std::shared_ptr<const FrontProxy>> front_proxy_;  // null: there is none
  const Clock& clock_;
  Guarded<LruCache<Known>> known_;
};

/// The token of "Authorization: Bearer TOKEN"; "" where there is none.
std::string_view bearer_token(std::string_view authorization);

}  // namespace portico::identity
