#include "identity/authenticator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/hash.h"

namespace portico::identity {
namespace {

constexpr std::size_t kKnownBytes = 8u << 20;
constexpr std::size_t kBytesOfOne = 512;
constexpr auto kRemembered = std::chrono::minutes(5);
constexpr const char* kCredentialId = "authentication.kubernetes.io/credential-id";

Error invalid_token() { return invalid("invalid bearer token").because(Reason::kUnauthorized); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

access::User certificate_user(const http::ClientCertificate& certificate) {
  access::User user{.name = certificate.common_name, .groups = certificate.organizations};
  if (!user.is_in("system:authenticated")) user.groups.emplace_back("system:authenticated");
  user.extra[kCredentialId] = {"X509SHA256=" + certificate.sha256};
  return user;
}

}  // namespace

std::string_view bearer_token(std::string_view authorization) {
  const std::string_view text = trimmed(authorization);
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos || !http::same_name(text.substr(0, blank), "bearer"))
    return {};
  const std::string_view rest = text.substr(blank + 1);
  return rest.substr(0, rest.find(' '));
}

Authenticator::Authenticator(AuthenticatorOptions options, const Clock& clock)
    : options_(std::move(options)), clock_(clock), known_(kKnownBytes) {
  set_front_proxy(options_.front_proxy);
}

void Authenticator::set_front_proxy(std::optional<FrontProxy> proxy) {
  front_proxy_.with([&](auto& now) {
    now = proxy ? std::make_shared<const FrontProxy>(*std::move(proxy)) : nullptr;
  });
}

Result<access::User> Authenticator::user_of(const http::Request& request) {
  const auto proxy = front_proxy_.with([](const auto& now) { return now; });
  if (proxy)
    if (auto user = proxied_user(*proxy, request)) return *std::move(user);
  const http::Peer* const peer = request.peer.get();
  if (peer != nullptr && peer->certificate && !peer->certificate->common_name.empty()) {
    const std::string& ca = options_.client_ca_sha256;
    const std::string& issuer = peer->certificate->issuer_sha256;
    const bool is_proxys = proxy && is_of(*proxy, *peer->certificate);
    if (!is_proxys && (ca.empty() || issuer == ca)) return certificate_user(*peer->certificate);
  }
  if (const std::string_view token = bearer_token(request.headers.get("Authorization"));
      !token.empty()) {
    PORTICO_TRY(TokenUser found, user_of_token(token, {}));
    return std::move(found.user);
  }
  if (peer != nullptr && peer->unix_peer && options_.owner &&
      (peer->unix_peer->uid == *options_.owner || peer->unix_peer->uid == 0))
    return options_.owner_user;
  if (options_.anonymous)
    return access::User{.name = "system:anonymous", .groups = {"system:unauthenticated"}};
  return invalid("no credentials").because(Reason::kUnauthorized);
}

Result<Authenticator::Known> Authenticator::verified(std::string_view token,
                                                     const std::string& digest) {
  // The cache key includes the current period, so entries expire and a revoked key is no longer
  // accepted.
  const auto period = clock_.now().time_since_epoch() / kRemembered;
  const std::string name = fmt::format("{} {}", digest, period);
  const auto remembered = known_.with([&](LruCache<Known>& known) { return known.find(name); });
  if (remembered) return *remembered;
  auto parsed = parse_jwt(token);
  if (!parsed) return invalid_token();
  Known known{Signer::kServiceAccounts, parsed->claims};
  if (options_.service_accounts && options_.service_accounts->is_ours(*parsed)) {
    if (!options_.service_accounts->has_signed(*parsed)) return invalid_token();
  } else if (options_.oidc && options_.oidc->is_issuer_of(*parsed)) {
    known.signer = Signer::kOidc;
    PORTICO_TRY(const bool is_signed, options_.oidc->has_signed(*parsed));
    if (!is_signed) return invalid_token();
  } else {
    return invalid_token();
  }
  known_.with([&](LruCache<Known>& all) {
    all.add(name, std::make_shared<const Known>(known), kBytesOfOne + 4 * token.size());
  });
  return known;
}

Result<Authenticator::TokenUser> Authenticator::user_of_token(
    std::string_view token, const std::vector<std::string>& audiences) {
  const std::string digest = sha256_hex(token);
  if (const auto at = options_.tokens.find(digest); at != options_.tokens.end())
    return TokenUser{at->second, std::nullopt};
  auto verdict = verified(token, digest);
  if (!verdict && verdict.error().reason == Reason::kUnauthorized && options_.review_elsewhere) {
    PORTICO_TRY(access::User found, options_.review_elsewhere(std::string(token)));
    return TokenUser{std::move(found), std::nullopt};
  }
  PORTICO_TRY(Known known, std::move(verdict));
  auto user = known.signer == Signer::kOidc
                  ? options_.oidc->user_of(known.claims)
                  : options_.service_accounts->user_of(known.claims, audiences);
  if (user) return TokenUser{*std::move(user), std::move(known)};
  if (user.error().reason != Reason::kUnauthorized) return std::move(user).error();
  // Like kube-apiserver, which lists the errors of all its authenticators.
  return invalid("[invalid bearer token, {}]", user.error().what).because(Reason::kUnauthorized);
}

Result<Authenticator::Reviewed> Authenticator::review(std::string_view token,
                                                      const std::vector<std::string>& audiences) {
  const std::vector<std::string> own = options_.service_accounts
                                           ? options_.service_accounts->options().audiences
                                           : std::vector<std::string>{};
  std::vector<std::string> wanted = audiences.empty() ? own : audiences;
  PORTICO_TRY(TokenUser found, user_of_token(token, wanted));
  // Only service account tokens name their audiences; all others are for the server itself.
  const bool names_them = found.known && found.known->signer == Signer::kServiceAccounts;
  std::erase_if(wanted, [&](const std::string& one) {
    return names_them ? !is_for(found.known->claims, one)
                      : std::find(own.begin(), own.end(), one) == own.end();
  });
  if (wanted.empty() && !audiences.empty()) return invalid_token();
  return Reviewed{std::move(found.user), std::move(wanted)};
}

}  // namespace portico::identity
