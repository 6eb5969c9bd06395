#include "identity/service_accounts.h"

#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"
#include "base/secret_file.h"
#include "identity/internal/openssl.h"

namespace portico::identity {
namespace {

constexpr std::size_t kMostBytes = 64u << 10;
constexpr const char* kPrivateClaims = "kubernetes.io";

Error refused(std::string_view why) { return invalid("{}", why).because(Reason::kUnauthorized); }

json::Value texts(const std::vector<std::string>& all) {
  return json::Value::array({all.begin(), all.end()});
}

std::int64_t unix_seconds(TimePoint time) {
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

}  // namespace

Result<SigningKey> open_signing_key(const std::string& folder) {
  const std::string path = folder + "/sa.key";
  auto pem = read_small_file(path, kMostBytes, true);
  if (!pem) {
    if (pem.error().code != Code::kNotFound) return std::move(pem).error();
    PORTICO_TRY(std::string made, SigningKey::make_pem());
    PORTICO_DO(write_secret_file(path, made));
    pem = std::move(made);
  }
  PORTICO_TRY(SigningKey key, SigningKey::from_pem(*pem), path);
  return key;
}

ServiceAccountTokens::ServiceAccountTokens(ServiceAccountOptions options, SigningKey key,
                                           std::vector<VerifyKey> older,
                                           const ServiceAccounts& accounts, const Clock& clock)
    : options_(std::move(options)),
      key_(std::move(key)),
      verify_(std::move(older)),
      accounts_(accounts),
      clock_(clock) {
  verify_.insert(verify_.begin(), key_.verify_key());
}

Result<IssuedToken> ServiceAccountTokens::issue(const TokenOrder& order) const {
  std::array<unsigned char, 16> random{};
  if (RAND_bytes(random.data(), random.size()) != 1)
    return internal::openssl_error("cannot create a token");
  const std::string id =
      uuid5("jti", {reinterpret_cast<const char*>(random.data()), random.size()});
  const std::int64_t now = unix_seconds(clock_.now());
  const std::int64_t expires = now + order.lifetime.count();
  const auto& audiences = order.audiences.empty() ? options_.audiences : order.audiences;
  const json::Value account = json::Value::object({{"name", order.name}, {"uid", order.uid}});
  const json::Value claims = json::Value::object(
      {{"aud", texts(audiences)},
       {"exp", expires},
       {"iat", now},
       {"iss", options_.issuer},
       {"jti", id},
       {kPrivateClaims,
        json::Value::object({{"namespace", order.ns}, {"serviceaccount", account}})},
       {"nbf", now},
       {"sub", access::service_account_user(order.ns, order.name)}});
  PORTICO_TRY(std::string token, key_.sign(claims));
  return IssuedToken{std::move(token), TimePoint(std::chrono::seconds(expires)), audiences};
}

bool ServiceAccountTokens::is_ours(const Jwt& token) const {
  const json::Value& issuer = token.claims["iss"];
  return issuer.is_string() && issuer.as_string() == options_.issuer;
}

bool ServiceAccountTokens::has_signed(const Jwt& token) const {
  return std::any_of(verify_.begin(), verify_.end(), [&](const VerifyKey& key) {
    return (token.key_id.empty() || token.key_id == key.id()) && key.verifies(token);
  });
}

Result<access::User> ServiceAccountTokens::user_of(
    const json::Value& claims, const std::vector<std::string>& audiences) const {
  const std::int64_t now = unix_seconds(clock_.now());
  if (auto times = check_times(claims, now, 0); !times)
    return refused(times.error().what == "the token is not valid yet"
                       ? "service account token is not valid yet"
                       : "service account token has expired");
  const auto& wanted = audiences.empty() ? options_.audiences : audiences;
  if (std::none_of(wanted.begin(), wanted.end(),
                   [&](const std::string& one) { return is_for(claims, one); }))
    return refused("the service account token is for another audience");
  const json::Value& ours = claims[kPrivateClaims];
  const std::string_view ns = ours["namespace"].as_string();
  const std::string_view name = ours["serviceaccount"]["name"].as_string();
  const std::string_view uid = ours["serviceaccount"]["uid"].as_string();
  const std::string user = access::service_account_user(ns, name);
  if (ns.empty() || name.empty() || uid.empty() || claims["sub"].as_string() != user)
    return refused("service account token claims are incomplete");
  const auto live = accounts_.uid_of(ns, name);
  if (!live && live.error().code != Code::kNotFound) return live.error();
  if (!live || *live != uid) return refused("service account token has been invalidated");
  access::User found{
      .name = user,
      .groups = {"system:serviceaccounts", "system:serviceaccounts:" + std::string(ns),
                 "system:authenticated"},
      .uid = std::string(uid)};
  if (const std::string_view id = claims["jti"].as_string(); !id.empty())
    found.extra["authentication.kubernetes.io/credential-id"] = {"JTI=" + std::string(id)};
  return found;
}

json::Value ServiceAccountTokens::jwk_set() const {
  std::vector<json::Value> keys;
  for (const VerifyKey& key : verify_) keys.push_back(key.jwk());
  return json::Value::object({{"keys", json::Value::array(std::move(keys))}});
}

}  // namespace portico::identity
