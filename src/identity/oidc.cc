#include "identity/oidc.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/monitor.h"
#include "base/world_error.h"
#include "http/client.h"
#include "http/escape.h"
#include "json/text.h"

namespace portico::identity {
namespace {

constexpr std::int64_t kLeeway = 0;
constexpr auto kFetchTime = std::chrono::seconds(10);
constexpr auto kWaitTime = std::chrono::seconds(30);
constexpr std::size_t kMostBytes = 1u << 20;

Error refused(std::string_view why) {
  return invalid("oidc: {}", why).because(Reason::kUnauthorized);
}

Result<std::string> fetch(const std::string& url, const std::string& ca) {
  PORTICO_TRY(const http::Url parsed, http::parse_url(url));
  const std::string server = parsed.scheme + "://" + parsed.authority();
  PORTICO_TRY(
      const auto client,
      http::Client::make({.server = server, .tls = {.ca = ca}, .response_bytes = kMostBytes}));
  PORTICO_TRY(http::Response response,
              client->send({.target = parsed.path.empty() ? "/" : parsed.path,
                            .headers = {{"Accept", "application/json"}},
                            .time = kFetchTime}));
  if (response.status != 200)
    return error_for(remedy_of_http(response.status),
                     fmt::format("{} responded with status {}", url, response.status));
  return std::move(response.body);
}

class TheOidc final : public Oidc {
 public:
  TheOidc(OidcOptions options, const Clock& clock, Log* log)
      : options_(std::move(options)), clock_(clock), log_(log) {}

  bool is_issuer_of(const Jwt& token) const override {
    const json::Value& issuer = token.claims["iss"];
    return issuer.is_string() && issuer.as_string() == options_.issuer;
  }

  Result<bool> has_signed(const Jwt& token) override {
    auto keys = current(false);
    if (keys && signed_by(**keys, token)) return true;
    // Unless the key is known, the issuer may have rotated its keys: refresh them.
    if (keys && knows(**keys, token)) return false;
    PORTICO_TRY(const auto fresh, current(true));
    return signed_by(*fresh, token);
  }

  Result<access::User> user_of(const json::Value& claims) const override;

 private:
  using Keys = std::vector<VerifyKey>;
  struct State {
    std::shared_ptr<const Keys> keys;
    TimePoint read_at{}, tried_at{};
    bool was_tried = false, reading = false;
    Error failure;
  };

  static bool signed_by(const Keys& keys, const Jwt& token) {
    return std::any_of(keys.begin(), keys.end(), [&](const VerifyKey& key) {
      return (token.key_id.empty() || key.id() == token.key_id) && key.verifies(token);
    });
  }
  static bool knows(const Keys& keys, const Jwt& token) {
    return std::any_of(keys.begin(), keys.end(),
                       [&](const VerifyKey& key) { return key.id() == token.key_id; });
  }

  Result<std::shared_ptr<const Keys>> current(bool want_newer);
  Result<Keys> read_keys() const;

  OidcOptions options_;
  const Clock& clock_;
  Log* log_;
  Monitor<State> state_;
};

Result<std::vector<VerifyKey>> TheOidc::read_keys() const {
  std::string base = options_.issuer;
  while (base.ends_with('/')) base.pop_back();
  PORTICO_TRY(const std::string text,
              fetch(base + "/.well-known/openid-configuration", options_.ca));
  PORTICO_TRY(const json::Value found, json::parse(text, {.bytes = kMostBytes, .depth = 32}));
  if (found["issuer"].as_string() != options_.issuer)
    return error_for(
        Remedy::kOperator,
        fmt::format("the issuer does not match the one that the provider returned: \"{}\"",
                    found["issuer"].as_string()));
  PORTICO_TRY(const std::string set, fetch(std::string(found["jwks_uri"].as_string()), options_.ca),
              "jwks_uri");
  return parse_jwk_set(set);
}

// Returns the current keys; if a refresh is due, one thread at a time fetches them.
Result<std::shared_ptr<const TheOidc::Keys>> TheOidc::current(bool want_newer) {
  const TimePoint now = clock_.now();
  const bool reads = state_.with([&](State& state) {
    const bool too_old = !state.keys || now - state.read_at >= options_.refresh;
    const bool too_soon = state.was_tried && now - state.tried_at < options_.at_most_every;
    if (state.reading || too_soon || !(too_old || want_newer)) return false;
    state.reading = state.was_tried = true;
    state.tried_at = now;
    return true;
  });
  if (reads) {
    auto keys = read_keys();
    if (!keys && log_ != nullptr)
      log_->warning("cannot read the keys of the OpenID Connect provider",
                    {{"issuer", options_.issuer}, {"error", keys.error().text()}});
    state_.change([&](State& state) {
      state.reading = false;
      if (keys) {
        state.keys = std::make_shared<const Keys>(*std::move(keys));
        state.read_at = now;
      } else {
        state.failure = std::move(keys).error().in("oidc");
      }
    });
  }
  return state_.wait_until(
      std::chrono::steady_clock::now() + kWaitTime,
      [&](const State& state) { return !state.reading || (state.keys && !want_newer); },
      [](const State& state) -> Result<std::shared_ptr<const Keys>> {
        if (state.keys) return state.keys;
        return unavailable("{}", state.failure.text());
      });
}

Result<access::User> TheOidc::user_of(const json::Value& claims) const {
  const std::int64_t now =
      std::chrono::floor<std::chrono::seconds>(clock_.now().time_since_epoch()).count();
  if (auto times = check_times(claims, now, kLeeway); !times) return refused(times.error().what);
  if (!is_for(claims, options_.client_id)) return refused("the token is for another audience");
  for (const auto& [name, value] : options_.required_claims)
    if (!claims[name].is_string() || claims[name].as_string() != value)
      return refused(fmt::format("the token lacks the required claim \"{}\"", name));
  const json::Value& name = claims[options_.username_claim];
  if (!name.is_string() || name.as_string().empty())
    return refused(fmt::format("the token has no claim \"{}\"", options_.username_claim));
  const bool is_email = options_.username_claim == "email";
  if (is_email && claims.contains("email_verified") && !claims["email_verified"].as_bool())
    return refused("the email address is not verified");
  std::string prefix = options_.username_prefix;
  if (prefix == "-") {
    prefix.clear();
  } else if (prefix.empty() && !is_email) {
    prefix = options_.issuer + "#";
  }
  access::User user{.name = prefix + std::string(name.as_string()), .groups = {}};
  if (!options_.groups_claim.empty()) {
    const json::Value& groups = claims[options_.groups_claim];
    const auto add = [&](const json::Value& group) {
      if (group.is_string())
        user.groups.push_back(options_.groups_prefix + std::string(group.as_string()));
      return group.is_string();
    };
    const bool is_list =
        groups.is_array() && std::all_of(groups.items().begin(), groups.items().end(), add);
    if (!groups.is_null() && !is_list && !add(groups))
      return refused(fmt::format("the claim \"{}\" is neither a string nor a list of strings",
                                 options_.groups_claim));
  }
  // A provider must not assign users and groups that are reserved for the server.
  for (const std::string& group : user.groups)
    if (group.starts_with("system:"))
      return refused(fmt::format(
          "the group \"{}\" is reserved and cannot be assigned by an OpenID Connect provider",
          group));
  if (user.name.starts_with("system:"))
    return refused(fmt::format(
        "the user \"{}\" is reserved and cannot be assigned by an OpenID Connect provider",
        user.name));
  user.groups.emplace_back("system:authenticated");
  return user;
}

}  // namespace

Result<std::unique_ptr<Oidc>> Oidc::make(OidcOptions options, const Clock& clock, Log* log) {
  PORTICO_TRY(const http::Url url, http::parse_url(options.issuer), "oidc issuer");
  if (url.scheme != "https")
    return invalid("the oidc issuer must be an https URL: \"{}\"", options.issuer);
  if (options.client_id.empty()) return invalid("the oidc client id is required");
  return std::unique_ptr<Oidc>(std::make_unique<TheOidc>(std::move(options), clock, log));
}

}  // namespace portico::identity
