// Users of an OpenID Connect provider, played by a server in the test.
#include "identity/oidc.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/guarded.h"
#include "http/server.h"
#include "identity/authenticator.h"
#include "identity/certificates.h"
#include "json/text.h"

namespace portico::identity {
namespace {

using json::Value;
using std::chrono::hours;
using std::chrono::seconds;

struct FakeClock : Clock {
  // Close to the time used to check certificates, but always aligned to a five-minute period.
  Guarded<TimePoint> at{std::chrono::floor<std::chrono::duration<std::int64_t, std::ratio<300>>>(
      SystemClock().now())};
  TimePoint now() const override {
    return at.with([](TimePoint t) { return t; });
  }
  void pass(seconds time) {
    at.with([&](TimePoint& t) { t += time; });
  }
};

struct Provider : http::Handler {
  struct State {
    std::vector<SigningKey> keys;
    std::string issuer;
    bool broken = false;
    int key_reads = 0;
  };
  Guarded<State> state;

  http::Answer handle(http::Request request) override {
    return state.with([&](State& s) -> http::Answer {
      if (s.broken) return http::Response{.status = 503};
      if (request.path() == "/realm/.well-known/openid-configuration")
        return http::Response{.body = json::print(Value::object(
                                  {{"issuer", s.issuer}, {"jwks_uri", s.issuer + "/keys"}}))};
      if (request.path() != "/realm/keys") return http::Response{.status = 404};
      ++s.key_reads;
      std::vector<Value> keys;
      for (const SigningKey& key : s.keys) keys.push_back(key.verify_key().jwk());
      return http::Response{
          .body = json::print(Value::object({{"keys", Value::array(std::move(keys))}}))};
    });
  }
};

struct OidcTest : ::testing::Test {
  FakeClock clock;
  CertificateAuthority ca = *CertificateAuthority::make("ca", clock.now());
  std::shared_ptr<Provider> provider = std::make_shared<Provider>();
  std::unique_ptr<http::Server> server;
  std::string issuer;
  SigningKey key = new_key();

  static SigningKey new_key() { return *SigningKey::from_pem(*SigningKey::make_pem()); }

  void SetUp() override {
    const KeyPair pair = *ca.issue_server({"127.0.0.1"}, clock.now(), hours(1));
    http::Options options;
    options.tls = {.certificate = pair.certificate, .key = pair.key};
    server = *http::Server::start(options, provider);
    issuer = "https://127.0.0.1:" + std::to_string(server->ports()[0]) + "/realm";
    provider->state.with([&](Provider::State& s) {
      s.issuer = issuer;
      s.keys = {key};
    });
  }
  OidcOptions options() const {
    return {
        .issuer = issuer, .client_id = "portico", .groups_claim = "groups", .ca = ca.certificate()};
  }
  std::shared_ptr<Oidc> oidc(OidcOptions chosen) {
    return *Oidc::make(std::move(chosen), clock, nullptr);
  }
  Value claims() const {
    const std::int64_t now = std::chrono::floor<seconds>(clock.now().time_since_epoch()).count();
    return Value::object({{"iss", issuer},
                          {"aud", "portico"},
                          {"sub", "ana"},
                          {"exp", now + 36000},
                          {"groups", Value::array({"dev", "ops"})}});
  }
  Result<access::User> user_of(Authenticator& who, const std::string& token) {
    return who.user_of({.headers = {{"Authorization", "Bearer " + token}}});
  }
  int key_reads() {
    return provider->state.with([](const Provider::State& s) { return s.key_reads; });
  }
};

TEST_F(OidcTest, KnowsItsUsers) {
  Authenticator who({.oidc = oidc(options())}, clock);
  const auto user = user_of(who, *key.sign(claims()));
  ASSERT_TRUE(user) << user.error().text();
  EXPECT_EQ(user->name, issuer + "#ana");
  EXPECT_EQ(user->groups, (std::vector<std::string>{"dev", "ops", "system:authenticated"}));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(user_of(who, *key.sign(claims().with("n", i))));
  EXPECT_EQ(key_reads(), 1);
}

TEST_F(OidcTest, FollowsKeysThatChange) {
  Authenticator who({.oidc = oidc(options())}, clock);
  const std::string old = *key.sign(claims());
  EXPECT_TRUE(user_of(who, old));
  const SigningKey next = new_key();
  const std::string fresh = *next.sign(claims());
  EXPECT_FALSE(user_of(who, fresh)) << "not published yet";
  provider->state.with([&](Provider::State& s) { s.keys = {next}; });
  EXPECT_FALSE(user_of(who, fresh)) << "asked too soon";
  EXPECT_EQ(key_reads(), 1);
  clock.pass(seconds(11));
  EXPECT_TRUE(user_of(who, fresh));
  EXPECT_EQ(key_reads(), 2);
  EXPECT_TRUE(user_of(who, old)) << "remembered";
  clock.pass(seconds(600));
  EXPECT_EQ(user_of(who, old).error().what, "invalid bearer token");
  // Tokens with unknown keys do not cause constant refreshes.
  const int before = key_reads();
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(user_of(who, *new_key().sign(claims())));
  EXPECT_LE(key_reads(), before + 1);
}

TEST_F(OidcTest, GoesOnWhileTheProviderIsAway) {
  provider->state.with([](Provider::State& s) { s.broken = true; });
  Authenticator who({.oidc = oidc(options())}, clock);
  const auto away = user_of(who, *key.sign(claims()));
  ASSERT_FALSE(away);
  EXPECT_EQ(away.error().code, Code::kUnavailable);
  EXPECT_NE(away.error().text().find("responded with status 503"), std::string::npos)
      << away.error().text();
  clock.pass(seconds(11));
  provider->state.with([](Provider::State& s) { s.broken = false; });
  EXPECT_TRUE(user_of(who, *key.sign(claims())));
  provider->state.with([](Provider::State& s) { s.broken = true; });
  clock.pass(hours(2));
  EXPECT_TRUE(user_of(who, *key.sign(claims().with("n", 2)))) << "with the keys that it has";
}

TEST_F(OidcTest, IsAskedByOneThreadForAll) {
  Authenticator who({.oidc = oidc(options())}, clock);
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] { good += user_of(who, *key.sign(claims().with("n", i))).ok(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 8);
  EXPECT_EQ(key_reads(), 1);
}

TEST_F(OidcTest, ChecksWhatTheTokenSays) {
  OidcOptions chosen = options();
  chosen.required_claims = {{"hd", "example.com"}};
  Authenticator who({.oidc = oidc(chosen)}, clock);
  const Value good = claims().with("hd", "example.com");
  EXPECT_TRUE(user_of(who, *key.sign(good)));
  const auto refusal = [&](const Value& of) {
    const auto user = user_of(who, *key.sign(of));
    return user ? "let in as " + user->name : user.error().what;
  };
  EXPECT_EQ(refusal(claims()),
            "[invalid bearer token, oidc: the token lacks the required claim \"hd\"]");
  EXPECT_EQ(refusal(good.with("aud", "other")),
            "[invalid bearer token, oidc: the token is for another audience]");
  EXPECT_EQ(refusal(good.with("exp", 5)), "[invalid bearer token, oidc: the token has expired]");
  EXPECT_EQ(refusal(good.without("exp")),
            "[invalid bearer token, oidc: the token has no expiration time]");
  EXPECT_EQ(refusal(good.with("groups", Value::array({1}))),
            "[invalid bearer token, oidc: the claim \"groups\" is neither a string nor a list of "
            "strings]");
  EXPECT_EQ(refusal(good.with("groups", "system:masters")),
            "[invalid bearer token, oidc: the group \"system:masters\" is reserved and cannot be "
            "assigned by an OpenID Connect provider]");
  EXPECT_EQ(refusal(good.without("sub")),
            "[invalid bearer token, oidc: the token has no claim \"sub\"]");
  EXPECT_EQ(refusal(good.with("iss", issuer + "x")), "invalid bearer token");
}

TEST_F(OidcTest, NamesUsersAsAsked) {
  OidcOptions chosen = options();
  chosen.username_claim = "email";
  chosen.groups_prefix = "oidc:";
  {
    Authenticator who({.oidc = oidc(chosen)}, clock);
    const auto user = user_of(who, *key.sign(claims().with("email", "a@b").with("groups", "dev")));
    ASSERT_TRUE(user) << user.error().text();
    EXPECT_EQ(user->name, "a@b");
    EXPECT_EQ(user->groups[0], "oidc:dev");
    EXPECT_FALSE(
        user_of(who, *key.sign(claims().with("email", "a@b").with("email_verified", false))));
  }
  chosen.username_claim = "sub";
  chosen.username_prefix = "-";
  Authenticator bare({.oidc = oidc(chosen)}, clock);
  EXPECT_EQ(user_of(bare, *key.sign(claims()))->name, "ana");
  EXPECT_FALSE(user_of(bare, *key.sign(claims().with("sub", "system:admin"))));
}

TEST(Oidc, RefusesOptionsThatCannotBe) {
  const FakeClock clock;
  EXPECT_FALSE(Oidc::make({.issuer = "http://x", .client_id = "a"}, clock, nullptr));
  EXPECT_FALSE(Oidc::make({.issuer = "https://x", .client_id = ""}, clock, nullptr));
  EXPECT_FALSE(Oidc::make({.issuer = "", .client_id = "a"}, clock, nullptr));
}

}  // namespace
}  // namespace portico::identity
