// Authentication for the API server of a state folder: certificates, tokens, OpenID Connect.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/identities.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "identity/authenticator.h"
#include "identity/oidc.h"
#include "identity/service_accounts.h"
#include "registry/registry.h"

namespace portico::engine {

/// The service accounts in a registry.
class StoredAccounts : public identity::ServiceAccounts {
 public:
  explicit StoredAccounts(const registry::Registry& registry) : registry_(registry) {}
  Result<std::string> uid_of(std::string_view ns, std::string_view name) const override;

 private:
  const registry::Registry& registry_;
};

/// Accepts certificates of the server's CA, service account tokens, and what the options add.
/// Thread-safe.
class Identities : public apiserver::Authenticator, public apiserver::TokenIssuer {
 public:
  struct Options {
    std::string folder;           // for keys; the service account key is created if missing
    std::string token_file = {};  // as for kube-apiserver's --token-auth-file; "": none
    std::optional<identity::OidcOptions> oidc = {};
    std::optional<uid_t> owner = {};  // admitted through a unix socket, like root
    /// File with the CA of a proxy that names users in request headers; "" for none. If names are
    /// given, its certificate must have one of them.
    std::string front_proxy_ca = {};
    std::string front_proxy_pem = {};  // the same, as PEM
    std::vector<std::string> front_proxy_names = {};
    bool anonymous = false;  // requests without credentials are system:anonymous
    /// As AuthenticatorOptions::review_elsewhere.
    std::function<Result<access::User>(const std::string& token)> review_elsewhere = {};
  };
  /// What is pointed to must outlive it; `log` may be null.
  static Result<std::unique_ptr<Identities>> open(const Options& options,
                                                  const registry::Registry& registry,
                                                  const Clock& clock, Log* log);

  /// The front proxy's CA, for the listener: PEM, "" for none.
  const std::string& front_proxy_ca() const { return front_proxy_ca_; }

  /// Replaces the CA (one or several) and the names. On kInvalid nothing changes.
  Result<Done> set_front_proxy(const std::string& pem, std::vector<std::string> names);

  Result<access::User> who(const http::Request& request) override;
  Result<apiserver::ReviewedToken> review(std::string_view token,
                                          const std::vector<std::string>& audiences) override;
  Result<apiserver::IssuedToken> issue(const apiserver::TokenOrder& order) override;

 private:
  explicit Identities(const registry::Registry& registry) : accounts_(registry) {}

  StoredAccounts accounts_;
  std::shared_ptr<const identity::ServiceAccountTokens> tokens_;
  std::optional<identity::Authenticator> authenticator_;
  std::string front_proxy_ca_;
};

}  // namespace portico::engine
