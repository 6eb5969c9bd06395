// Tokens: signed tokens are recognized, and nothing else is.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/hash.h"
#include "identity/authenticator.h"
#include "identity/jwt.h"
#include "identity/service_accounts.h"
#include "json/text.h"
#include "testing/cases.h"

namespace portico::identity {
namespace {

using json::Value;
using std::chrono::hours;
using std::chrono::seconds;

struct FakeClock : Clock {
  TimePoint at = *parse_rfc3339("2026-11-21T10:00:00Z");
  TimePoint now() const override { return at; }
};

struct FakeAccounts : ServiceAccounts {
  std::map<std::string, std::string, std::less<>> uids = {{"a/default", "u1"}};
  Result<std::string> uid_of(std::string_view ns, std::string_view name) const override {
    const auto at = uids.find(fmt::format("{}/{}", ns, name));
    if (at == uids.end()) return not_found("no account");
    return at->second;
  }
};

struct Tokens : ::testing::Test {
  FakeClock clock;
  FakeAccounts accounts;
  std::shared_ptr<const ServiceAccountTokens> ours = std::make_shared<ServiceAccountTokens>(
      ServiceAccountOptions{}, *SigningKey::from_pem(*SigningKey::make_pem()),
      std::vector<VerifyKey>{}, accounts, clock);
  Authenticator authenticator{{.service_accounts = ours}, clock};

  std::string issue(seconds lifetime = hours(1), std::vector<std::string> audiences = {}) {
    return ours
        ->issue({.ns = "a",
                 .name = "default",
                 .uid = "u1",
                 .audiences = std::move(audiences),
                 .lifetime = lifetime})
        ->token;
  }
  Result<access::User> user_of(const std::string& authorization) {
    return authenticator.user_of({.headers = {{"Authorization", authorization}}});
  }
  std::string refusal_of(const std::string& token) {
    const auto user = user_of("Bearer " + token);
    if (user) return "let in as " + user->name;
    EXPECT_EQ(user.error().reason, Reason::kUnauthorized);
    return user.error().what;
  }
};

TEST_F(Tokens, AreOfTheirServiceAccount) {
  const std::string token = issue();
  const auto user = user_of("Bearer " + token);
  ASSERT_TRUE(user) << user.error().text();
  EXPECT_EQ(user->name, "system:serviceaccount:a:default");
  EXPECT_EQ(user->uid, "u1");
  EXPECT_EQ(user->groups,
            (std::vector<std::string>{"system:serviceaccounts", "system:serviceaccounts:a",
                                      "system:authenticated"}));
  EXPECT_EQ(user->extra.at("authentication.kubernetes.io/credential-id")[0].substr(0, 4), "JTI=");
  const Value claims = parse_jwt(token)->claims;
  EXPECT_EQ(json::print(claims.without("jti")),
            R"({"aud":["https://kubernetes.default.svc"],"exp":1795258800,"iat":1795255200,)"
            R"("iss":"https://kubernetes.default.svc.cluster.local",)"
            R"("kubernetes.io":{"namespace":"a","serviceaccount":{"name":"default","uid":"u1"}},)"
            R"("nbf":1795255200,"sub":"system:serviceaccount:a:default"})");
}

TEST_F(Tokens, EndWithTheirTimeAndTheirAccount) {
  const std::string token = issue(hours(1));
  EXPECT_TRUE(user_of("bearer " + token));
  clock.at += hours(1);
  EXPECT_EQ(refusal_of(token), "[invalid bearer token, service account token has expired]");
  clock.at -= hours(2);
  EXPECT_EQ(refusal_of(token), "[invalid bearer token, service account token is not valid yet]");
  clock.at += hours(1);
  EXPECT_TRUE(user_of("Bearer " + token));
  accounts.uids["a/default"] = "made anew";
  EXPECT_EQ(refusal_of(token),
            "[invalid bearer token, service account token has been invalidated]");
  accounts.uids.clear();
  EXPECT_EQ(refusal_of(token),
            "[invalid bearer token, service account token has been invalidated]");
}

TEST_F(Tokens, AreForTheirAudience) {
  const std::string vault = issue(hours(1), {"vault"});
  EXPECT_NE(refusal_of(vault).find("another audience"), std::string::npos);
  const auto reviewed = authenticator.review(vault, {"other", "vault"});
  ASSERT_TRUE(reviewed) << reviewed.error().text();
  EXPECT_EQ(reviewed->audiences, std::vector<std::string>{"vault"});
  EXPECT_FALSE(authenticator.review(vault, {}));
  EXPECT_EQ(authenticator.review(issue(), {})->audiences,
            std::vector<std::string>{"https://kubernetes.default.svc"});
  EXPECT_EQ(authenticator.review("nonsense", {}).error().what, "invalid bearer token");
}

TEST_F(Tokens, WithoutAnAudienceAreForTheServer) {
  access::User ada;
  ada.name = "ada";
  Authenticator with_static{{.tokens = {{sha256_hex("s3cret"), ada}}, .service_accounts = ours},
                            clock};
  const std::vector<std::string> own{"https://kubernetes.default.svc"};
  EXPECT_EQ(with_static.review("s3cret", {})->audiences, own);
  EXPECT_EQ(with_static.review("s3cret", {"vault", own[0]})->audiences, own);
  const auto refused = with_static.review("s3cret", {"vault"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "invalid bearer token");
  EXPECT_EQ(refused.error().reason, Reason::kUnauthorized);
}

TEST_F(Tokens, OfOthersAreRefused) {
  const std::string token = issue();
  const SigningKey other = *SigningKey::from_pem(*SigningKey::make_pem());
  const Value claims = parse_jwt(token)->claims;
  EXPECT_EQ(refusal_of(*other.sign(claims)), "invalid bearer token");
  EXPECT_EQ(refusal_of(*other.sign(claims.with("iss", "https://elsewhere"))),
            "invalid bearer token");
  // Headers that weaken verification: no signature, or the public key as an HMAC secret.
  const std::string body = token.substr(token.find('.'), token.rfind('.') - token.find('.'));
  EXPECT_EQ(refusal_of(base64url_encode(R"({"alg":"none"})") + body + "."), "invalid bearer token");
  EXPECT_EQ(
      refusal_of(base64url_encode(R"({"alg":"HS256"})") + body + token.substr(token.rfind('.'))),
      "invalid bearer token");
}

TEST_F(Tokens, OfAnOlderKeyAreGood) {
  const SigningKey older = *SigningKey::from_pem(*SigningKey::make_pem());
  const ServiceAccountTokens before({}, older, {}, accounts, clock);
  const std::string token = before.issue({.ns = "a", .name = "default", .uid = "u1"})->token;
  EXPECT_FALSE(user_of("Bearer " + token));
  const ServiceAccountTokens now({}, *SigningKey::from_pem(*SigningKey::make_pem()),
                                 {older.verify_key()}, accounts, clock);
  EXPECT_TRUE(now.has_signed(*parse_jwt(token)));
  EXPECT_EQ(parse_jwk_set(json::print(now.jwk_set()))->size(), 2u);
}

RC_GTEST_PROP(Token, ChangedAnywhereIsRefused, ()) {
  static const SigningKey key = *SigningKey::from_pem(*SigningKey::make_pem());
  static const std::string token = *key.sign(Value::object({{"sub", "a"}, {"exp", 1}}));
  std::string changed = token;
  const auto at = *rc::gen::inRange<std::size_t>(0, changed.size());
  changed[at] = *rc::gen::elementOf(std::string("AZaz09-_.=+/ "));
  RC_PRE(changed != token);
  const auto parsed = parse_jwt(changed);
  const bool is_good = parsed && key.verify_key().verifies(*parsed);
  RC_ASSERT(!is_good);
}

TEST(Jwt, TakesWhatOthersHaveSigned) {
  // RFC 7515, appendix A.2 (RS256) and A.3 (ES256).
  const Value rsa = *json::parse(
      R"({"kty":"RSA","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ","e":"AQAB"})");
  const auto rs256 = parse_jwt(
      "eyJhbGciOiJSUzI1NiJ9"
      ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnV"
      "lfQ"
      ".cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_"
      "O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_"
      "nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-"
      "eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0i"
      "gcN_IoypGlUPQGe77Rw");
  const Value ec = *json::parse(
      R"({"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"})");
  const auto es256 = parse_jwt(
      "eyJhbGciOiJFUzI1NiJ9"
      ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnV"
      "lfQ"
      ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q");
  ASSERT_TRUE(rs256) << rs256.error().text();
  ASSERT_TRUE(es256) << es256.error().text();
  const auto rsa_key = VerifyKey::from_jwk(rsa), ec_key = VerifyKey::from_jwk(ec);
  ASSERT_TRUE(rsa_key && ec_key);
  EXPECT_TRUE(rsa_key->verifies(*rs256));
  EXPECT_TRUE(ec_key->verifies(*es256));
  EXPECT_FALSE(ec_key->verifies(*rs256));
  EXPECT_FALSE(rsa_key->verifies(*es256));
  EXPECT_EQ(json::print(rsa_key->jwk()["n"]), json::print(rsa["n"]));
  EXPECT_EQ(json::print(ec_key->jwk()["x"]), json::print(ec["x"]));
}

TEST(Jwt, RefusesKeysThatAreWeakOrForSomethingElse) {
  for (
      const char* text :
      {R"({"kty":"RSA","n":"AQAB","e":"AQAB"})", R"({"kty":"oct","k":"AAAA"})", "{}", "[]",
       R"({"kty":"EC","crv":"P-256","x":"AA","y":"AA"})",
       R"({"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"})",
       R"({"kty":"EC","crv":"P-384","x":"AA","y":"AA"})"})
    EXPECT_FALSE(VerifyKey::from_jwk(*json::parse(text))) << text;
  EXPECT_EQ(parse_jwk_set(R"({"keys":[{"kty":"oct","k":"AAAA"}]})")->size(), 0u);
  EXPECT_FALSE(parse_jwk_set("[]"));
}

TEST(Jwt, ReadsOnlyWholeTokens) {
  for (const char* text : {"", ".", "..", "a.b", "a.b.c.d", "e30.e30.", "e30.e30.e30", "!.!.!"}) {
    const auto parsed = parse_jwt(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().reason, Reason::kUnauthorized);
  }
  EXPECT_FALSE(parse_jwt(std::string(100'000, 'a')));
  const std::string claims = "." + base64url_encode("{}") + ".AA";
  EXPECT_TRUE(parse_jwt(base64url_encode(R"({"alg":"ES256"})") + claims));
  EXPECT_FALSE(parse_jwt(base64url_encode(R"({"alg":"ES256","crit":["x"]})") + claims));
}

TEST(Jwt, KeysHaveTheIdThatKubernetesGives) {
  const testing::TempDir folder;
  const SigningKey key = *open_signing_key(folder.path());
  EXPECT_EQ(key.verify_key().id().size(), 43u);
  EXPECT_EQ(open_signing_key(folder.path())->verify_key().id(), key.verify_key().id());
  std::filesystem::permissions(folder.path() / "sa.key", std::filesystem::perms(0644));
  EXPECT_FALSE(open_signing_key(folder.path()));
}

TEST_F(Tokens, AreNotTheOnlyCredentials) {
  const auto peer = std::make_shared<http::Peer>();
  http::Request request{.peer = peer};
  EXPECT_EQ(authenticator.user_of(request).error().reason, Reason::kUnauthorized);
  Authenticator open(
      {.tokens = *parse_token_file("secret,ana,7,\"a,b\"\n"), .owner = 1000, .anonymous = true},
      clock);
  EXPECT_EQ(open.user_of(request)->name, "system:anonymous");
  for (const char* none : {"Basic YTpi", "Bearer", "Bearer ", "secret"}) {
    request.headers = {{"Authorization", none}};
    EXPECT_EQ(open.user_of(request)->name, "system:anonymous") << none;
  }
  request.headers = {{"Authorization", "  BEARER secret x"}};
  EXPECT_EQ(open.user_of(request)->groups,
            (std::vector<std::string>{"a", "b", "system:authenticated"}));
  request.headers = {{"Authorization", "Bearer nonsense"}};
  EXPECT_EQ(open.user_of(request).error().what, "invalid bearer token");
  // The certificate takes precedence over the token.
  peer->certificate = http::ClientCertificate{.common_name = "zoe", .organizations = {"x"}};
  EXPECT_EQ(open.user_of(request)->name, "zoe");
  EXPECT_EQ(open.user_of(request)->groups, (std::vector<std::string>{"x", "system:authenticated"}));
  peer->certificate->common_name.clear();
  EXPECT_FALSE(open.user_of(request));
  peer->certificate.reset();
  request.headers = {};
  peer->unix_peer = http::UnixPeer{.uid = 1000};
  EXPECT_TRUE(open.user_of(request)->is_in("system:masters"));
  peer->unix_peer->uid = 0;
  EXPECT_TRUE(open.user_of(request)->is_in("system:masters"));
  peer->unix_peer->uid = 1001;
  EXPECT_EQ(open.user_of(request)->name, "system:anonymous");
}

class TokenFile : public ::testing::TestWithParam<testing::Case> {};
TEST_P(TokenFile, Case) {
  const auto table = parse_token_file(GetParam()["file"]);
  std::string out;
  if (table) {
    std::map<std::string, std::string> lines;  // by user: the order of digests is meaningless
    for (const auto& [digest, user] : *table)
      lines[user.name] = fmt::format("{} {} [{}] {}\n", user.name, user.uid,
                                     fmt::join(user.groups, "|"), digest.substr(0, 8));
    for (const auto& line : lines) out += line.second;
  } else {
    out = table.error().text() + "\n";
  }
  GetParam().expect("users", out);
}
INSTANTIATE_TEST_SUITE_P(Data, TokenFile,
                         ::testing::ValuesIn(testing::cases("identity/tests/data/token_file")),
                         testing::case_name);

}  // namespace
}  // namespace portico::identity
