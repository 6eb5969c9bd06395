// The small certificate authority: issued certificates, and its file.
#include "identity/certificates.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "testing/cases.h"

namespace portico::identity {
namespace {

using std::chrono::hours;
using testing::TempDir;

const TimePoint kNow = *parse_rfc3339("2026-11-21T10:00:00Z");

TEST(Certificates, SayWhatTheyAreFor) {
  const auto ca = *CertificateAuthority::make("portico-ca", kNow);
  const auto root = *read_certificate(ca.certificate());
  EXPECT_TRUE(root.is_authority);
  EXPECT_EQ(root.common_name, "portico-ca");
  const auto server = *read_certificate(
      ca.issue_server({"localhost", "*.example.com", "127.0.0.1", "::1"}, kNow, hours(24))
          ->certificate);
  EXPECT_EQ(server.names,
            (std::vector<std::string>{"localhost", "*.example.com", "127.0.0.1", "::1"}));
  EXPECT_FALSE(server.is_authority);
  EXPECT_EQ(rfc3339(server.not_before), "2026-11-21T09:55:00Z");
  EXPECT_EQ(rfc3339(server.not_after), "2026-11-22T10:00:00Z");
  EXPECT_EQ(rfc3339(renewal_of(server)), "2026-11-22T01:58:20Z");
  const auto client = *read_certificate(
      ca.issue_client("zoë", {"system:masters", "b"}, kNow, hours(1))->certificate);
  EXPECT_EQ(client.common_name, "zoë");
  EXPECT_EQ(client.organizations, (std::vector<std::string>{"system:masters", "b"}));
}

TEST(Certificates, AreReadOneAfterTheOther) {
  const auto one = *CertificateAuthority::make("one", kNow);
  const auto two = *CertificateAuthority::make("two", kNow);
  const auto both =
      read_certificates("# the old one\n" + one.certificate() + "\n" + two.certificate());
  ASSERT_TRUE(both) << both.error().text();
  ASSERT_EQ(both->size(), 2u);
  EXPECT_EQ((*both)[0].common_name, "one");
  EXPECT_EQ((*both)[1].sha256, read_certificate(two.certificate())->sha256);
  for (const std::string& none : {std::string(), std::string("no certificate"),
                                  one.certificate() + two.certificate().substr(0, 100)}) {
    const auto refused = read_certificates(none);
    ASSERT_FALSE(refused) << none;
    EXPECT_EQ(refused.error().code, Code::kInvalid);
  }
}

TEST(Certificates, EndWithTheirAuthority) {
  const auto ca = *CertificateAuthority::make("ca", kNow);
  const auto root = *read_certificate(ca.certificate());
  const auto late =
      *read_certificate(ca.issue_client("a", {}, kNow, hours(24 * 365 * 100))->certificate);
  EXPECT_EQ(late.not_after, root.not_after);
  const auto refused = ca.issue_client("a", {}, root.not_after, hours(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kInvalid);
}

TEST(Certificates, RefuseNamesThatAreNone) {
  const auto ca = *CertificateAuthority::make("ca", kNow);
  EXPECT_FALSE(ca.issue_server({}, kNow, hours(1)));
  for (const char* name : {"", "a b", "a,DNS:evil.example", "http://x", "a\nb"}) {
    const auto refused = ca.issue_server({name}, kNow, hours(1));
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, Code::kInvalid);
  }
}

TEST(Certificates, AuthorityIsKeptInItsFolder) {
  const TempDir folder;
  const auto made = *CertificateAuthority::open(folder.path(), "ca", kNow);
  struct stat there {};
  ASSERT_EQ(::stat((folder.path() / "ca.key").c_str(), &there), 0);
  EXPECT_EQ(there.st_mode & 0777, 0600u);
  const auto again = *CertificateAuthority::open(folder.path(), "ca", kNow + hours(1));
  EXPECT_EQ(again.certificate(), made.certificate());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  EXPECT_TRUE(again.issue_client("a", {}, kNow, hours(1)));
  ::chmod((folder.path() / "ca.key").c_str(), 0640);
  const auto refused = CertificateAuthority::open(folder.path(), "ca", kNow);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("chmod 600"), std::string::npos);
}

TEST(Certificates, AuthorityNeedsItsOwnKey) {
  const auto ca = *CertificateAuthority::make("ca", kNow);
  const auto client = *ca.issue_client("a", {}, kNow, hours(1));
  EXPECT_FALSE(CertificateAuthority::read({ca.certificate(), client.key}));
  EXPECT_FALSE(CertificateAuthority::read(client)) << "no authority";
  EXPECT_FALSE(CertificateAuthority::read({"", ""}));
  EXPECT_FALSE(read_certificate("-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n"));
}

}  // namespace
}  // namespace portico::identity
