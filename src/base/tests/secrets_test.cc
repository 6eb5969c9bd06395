// What is removed from messages, and what is refused in URLs.
#include "base/secrets.h"

#include <gtest/gtest.h>

#include "testing/cases.h"

namespace portico {
namespace {

using testing::Case;

class WithoutSecrets : public ::testing::TestWithParam<Case> {};

TEST_P(WithoutSecrets, IsAsItsFileSays) {
  const std::string text = GetParam()["text"], shown = without_secrets(text);
  EXPECT_EQ(without_secrets(shown), shown) << "a second time";
  GetParam().expect("want", shown);
}
INSTANTIATE_TEST_SUITE_P(Data, WithoutSecrets,
                         ::testing::ValuesIn(testing::cases("base/tests/data/secrets")),
                         testing::case_name);

TEST(Secrets, AreHiddenInLinearTime) {
  for (const char* piece : {"password=", "a://b:c", "eyJaaaaaa.", "-----BEGIN PRIVATE KEY-----",
                            "-----BEGIN X ", "token: '", "\"", "x-", "authorization: bearer "}) {
    std::string text;
    while (text.size() < 300'000) text += piece;
    const std::string shown = without_secrets(text);
    EXPECT_EQ(without_secrets(shown), shown) << piece;
  }
}

TEST(Secrets, InUrlsOfRepositoriesAreSeen) {
  for (const char* url : {"https://me:pw@git.example/r.git", "http://token@git.example/r",
                          "HTTPS://:pw@git.example", "ssh://git:pw@git.example/r",
                          "https://ada:S3c/r3t@git.example/r", "ada:pw@git.example:r.git"})
    EXPECT_EQ(credential_in(url), "credentials") << url;
  for (const char* url : {"https://git.example/r.git?private_token=abc",
                          "https://git.example/r.git?x=1&access_token=abc"})
    EXPECT_EQ(credential_in(url), "a query that looks like a credential") << url;
  EXPECT_EQ(credential_in("https://git.example/r.git#S"), "a fragment");
  for (const char* url :
       {"https://git.example/r.git", "ssh://git@git.example/r", "/srv/a@b.git", "/srv/a:b@c",
        "git@git.example:r.git", "https://git.example:8443/a@b", "file:///srv/a@b",
        "file:///srv/a#b?key", "https://git.example/r.git?path=a", "ssh://git@[::1]:22/r"})
    EXPECT_EQ(credential_in(url), "") << url;
}

TEST(Secrets, TransportHelpersAreSeen) {
  EXPECT_EQ(transport_helper("ext::sh -c 'curl -u a:b https://x'"), "ext");
  EXPECT_EQ(transport_helper("fd::7"), "fd");
  for (const char* url : {"https://x/a::b", "git@[::1]:r", "/srv/a::b", "ssh://[::1]/r", ""})
    EXPECT_EQ(transport_helper(url), "") << url;
}

}  // namespace
}  // namespace portico
