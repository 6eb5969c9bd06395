// Who sends requests to the API server of a state folder: certificates, tokens, OpenID Connect.
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

/// Which service accounts a registry has.
class StoredAccounts : public identity::ServiceAccounts {
 public:
  explicit StoredAccounts(const registry::Registry& registry) : registry_(registry) {}
  Result<std::string> uid_of(std::string_view ns, std::string_view name) const override;

 private:
  const registry::Registry& registry_;
};

/// Certificates of the server's CA, tokens of service accounts, and what the options say. Safe from
/// any thread.
class Identities : public apiserver::Authenticator, public apiserver::TokenIssuer {
 public:
  struct Options {
    std::string folder;           // of keys; that of service accounts is made where it is missing
    std::string token_file = {};  // of kube-apiserver's --token-auth-file; "" for none
    std::optional<identity::OidcOptions> oidc = {};
    std::optional<uid_t> owner = {};  // who is let in through a unix socket, as root is
    /// File of the CA of a proxy that says in headers who users are; "" for none. Its certificate
    /// has one of the names, where there are any.
    std::string front_proxy_ca = {};
    std::string front_proxy_pem = {};  // the same, as PEM
    std::vector<std::string> front_proxy_names = {};
    bool anonymous = false;  // without credentials: system:anonymous
    /// As AuthenticatorOptions::review_elsewhere.
    std::function<Result<access::User>(const std::string& token)> review_elsewhere = {};
  };
  /// What is pointed to outlives it; `log` may be null.
  static Result<std::unique_ptr<Identities>> open(const Options& options,
                                                  const registry::Registry& registry,
                                                  const Clock& clock, Log* log);

  /// The CA of the front proxy, for the listener: PEM, "" for none.
  const std::string& front_proxy_ca() const { return front_proxy_ca_; }

  /// Another CA, or several, and other names, from now on. kInvalid, and nothing changes.
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
