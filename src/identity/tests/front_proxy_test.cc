// Users named in headers by a front proxy.
#include "identity/front_proxy.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "identity/authenticator.h"

namespace portico::identity {
namespace {

http::Request request_of(std::string common_name, std::string issuer, http::Headers headers) {
  http::Request out{.headers = std::move(headers)};
  http::Peer peer{.address = "192.0.2.1", .tls = true};
  peer.certificate = http::ClientCertificate{.common_name = std::move(common_name),
                                             .organizations = {"system:masters"},
                                             .sha256 = "ab",
                                             .issuer_sha256 = std::move(issuer)};
  out.peer = std::make_shared<const http::Peer>(std::move(peer));
  return out;
}

const http::Headers& ada() {
  static const http::Headers headers = {{"X-Remote-User", "ada"},
                                        {"x-remote-group", "team-a"},
                                        {"X-Remote-Group", "team-b"},
                                        {"X-Remote-Uid", "42"},
                                        {"X-Remote-Extra-Example.com%2fScopes", "read"},
                                        {"X-Remote-Extra-example.com%2fscopes", "write"}};
  return headers;
}

TEST(FrontProxy, NamesTheUser) {
  const auto user = proxied_user({.ca_sha256s = {"proxy"}}, request_of("front", "proxy", ada()));
  ASSERT_TRUE(user);
  EXPECT_EQ(user->name, "ada");
  EXPECT_EQ(user->uid, "42");
  EXPECT_EQ(user->groups, (std::vector<std::string>{"team-a", "team-b", "system:authenticated"}));
  EXPECT_EQ(
      user->extra,
      (std::map<std::string, std::vector<std::string>>{{"example.com/scopes", {"read", "write"}}}));
}

TEST(FrontProxy, NobodyElseDoes) {
  const FrontProxy proxy{.ca_sha256s = {"proxy"}, .names = {"front"}};
  EXPECT_TRUE(proxied_user(proxy, request_of("front", "proxy", ada())));
  EXPECT_FALSE(proxied_user(proxy, request_of("other", "proxy", ada())));
  EXPECT_FALSE(proxied_user(proxy, request_of("front", "clients", ada())));
  EXPECT_FALSE(proxied_user(proxy, request_of("front", "proxy", {{"X-Remote-Group", "team-a"}})));
  http::Request plain{.headers = ada()};
  EXPECT_FALSE(proxied_user(proxy, plain));
  plain.peer = std::make_shared<const http::Peer>(http::Peer{.address = "192.0.2.1"});
  EXPECT_FALSE(proxied_user(proxy, plain));
}

TEST(FrontProxy, ItsCertificateIsNoUsers) {
  const SystemClock clock;
  Authenticator authenticator(
      {.client_ca_sha256 = "clients", .front_proxy = FrontProxy{.ca_sha256s = {"proxy"}}}, clock);
  const auto proxied = authenticator.user_of(request_of("front", "proxy", ada()));
  ASSERT_TRUE(proxied);
  EXPECT_EQ(proxied->name, "ada");
  EXPECT_FALSE(authenticator.user_of(request_of("front", "proxy", {})));
  const auto direct = authenticator.user_of(request_of("eve", "clients", ada()));
  ASSERT_TRUE(direct);
  EXPECT_EQ(direct->name, "eve");
}

TEST(FrontProxy, ItsAuthoritiesMayBeOthersFromNowOn) {
  const SystemClock clock;
  Authenticator authenticator(
      {.client_ca_sha256 = "clients", .front_proxy = FrontProxy{.ca_sha256s = {"proxy"}}}, clock);
  EXPECT_FALSE(authenticator.user_of(request_of("front", "next", ada())));
  authenticator.set_front_proxy(FrontProxy{.ca_sha256s = {"proxy", "next"}});
  for (const char* authority : {"proxy", "next"}) {
    const auto user = authenticator.user_of(request_of("front", authority, ada()));
    ASSERT_TRUE(user) << authority;
    EXPECT_EQ(user->name, "ada");
  }
  authenticator.set_front_proxy(FrontProxy{.ca_sha256s = {"next"}});
  EXPECT_FALSE(authenticator.user_of(request_of("front", "proxy", ada())));
}

}  // namespace
}  // namespace portico::identity
