#include "engine/identities.h"

#include "base/secret_file.h"
#include "identity/certificates.h"
#include "identity/token_file.h"
#include "krm/meta.h"

namespace portico::engine {

namespace {

constexpr std::size_t kMostPem = std::size_t{1} << 20;
constexpr std::size_t kMostTokens = std::size_t{4} << 20;  // bytes in a token file

// Accepts every authority in the file: during a rotation there are two.
Result<identity::FrontProxy> front_proxy_of(const std::string& pem,
                                            std::vector<std::string> names) {
  PORTICO_TRY(const auto authorities, identity::read_certificates(pem));
  identity::FrontProxy out{.ca_sha256s = {}, .names = std::move(names)};
  for (const identity::CertificateFacts& each : authorities) out.ca_sha256s.push_back(each.sha256);
  return out;
}

}  // namespace

Result<std::string> StoredAccounts::uid_of(std::string_view ns, std::string_view name) const {
  PORTICO_TRY(const json::Value account,
              registry_.get({{"", "ServiceAccount"}, std::string(ns), std::string(name)}));
  if (krm::is_deleting(account))
    return not_found("the service account {}/{} is being deleted", ns, name);
  return std::string(krm::uid_of(account));
}

Result<std::unique_ptr<Identities>> Identities::open(const Options& options,
                                                     const registry::Registry& registry,
                                                     const Clock& clock, Log* log) {
  std::unique_ptr<Identities> out(new Identities(registry));
  PORTICO_TRY(identity::SigningKey key, identity::open_signing_key(options.folder));
  out->tokens_ = std::make_shared<const identity::ServiceAccountTokens>(
      identity::ServiceAccountOptions{}, std::move(key), std::vector<identity::VerifyKey>{},
      out->accounts_, clock);
  identity::AuthenticatorOptions wanted{.service_accounts = out->tokens_};
  wanted.anonymous = options.anonymous;
  wanted.owner = options.owner;
  wanted.review_elsewhere = options.review_elsewhere;
  if (!options.token_file.empty()) {
    PORTICO_TRY(const std::string text, read_small_file(options.token_file, kMostTokens, true),
                "--token-file");
    PORTICO_TRY(wanted.tokens, identity::parse_token_file(text),
                fmt::format("--token-file {}", options.token_file));
  }
  if (options.oidc) {
    PORTICO_TRY(std::unique_ptr<identity::Oidc> oidc,
                identity::Oidc::make(*options.oidc, clock, log), "--oidc-issuer-url");
    wanted.oidc = std::move(oidc);
  }
  out->front_proxy_ca_ = options.front_proxy_pem;
  if (!options.front_proxy_ca.empty()) {
    PORTICO_TRY(out->front_proxy_ca_, read_small_file(options.front_proxy_ca, kMostPem),
                "--requestheader-client-ca");
  }
  if (!out->front_proxy_ca_.empty()) {
    PORTICO_TRY(wanted.front_proxy, front_proxy_of(out->front_proxy_ca_, options.front_proxy_names),
                options.front_proxy_ca.empty()
                    ? "the front proxy's CA"
                    : fmt::format("--requestheader-client-ca {}", options.front_proxy_ca));
  }
  out->authenticator_.emplace(std::move(wanted), clock);
  return out;
}

Result<Done> Identities::set_front_proxy(const std::string& pem, std::vector<std::string> names) {
  PORTICO_TRY(identity::FrontProxy proxy, front_proxy_of(pem, std::move(names)));
  authenticator_->set_front_proxy(std::move(proxy));
  return Done{};
}

Result<access::User> Identities::who(const http::Request& request) {
  return authenticator_->user_of(request);
}

Result<apiserver::ReviewedToken> Identities::review(std::string_view token,
                                                    const std::vector<std::string>& audiences) {
  PORTICO_TRY(auto found, authenticator_->review(token, audiences));
  return apiserver::ReviewedToken{std::move(found.user), std::move(found.audiences)};
}

Result<apiserver::IssuedToken> Identities::issue(const apiserver::TokenOrder& order) {
  PORTICO_TRY(auto made, tokens_->issue({.ns = order.ns,
                                         .name = order.name,
                                         .uid = order.uid,
                                         .audiences = order.audiences,
                                         .lifetime = order.lifetime}));
  return apiserver::IssuedToken{std::move(made.token), made.expires, std::move(made.audiences)};
}

}  // namespace portico::engine
