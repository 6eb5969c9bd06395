// The certificate of a running server: renewed in time, reread when its files change.
#include "identity/serving_certificate.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/guarded.h"
#include "base/monitor.h"
#include "testing/cases.h"

namespace portico::identity {
namespace {

using std::chrono::hours;
using testing::TempDir;
using testing::write_file;

struct FakeClock : Clock {
  Guarded<TimePoint> at{*parse_rfc3339("2026-11-21T10:00:00Z")};
  TimePoint now() const override {
    return at.with([](TimePoint t) { return t; });
  }
  void pass(std::chrono::seconds time) {
    at.with([&](TimePoint& t) { t += time; });
  }
};

struct Used {
  Monitor<std::vector<KeyPair>> pairs;
  ServingCertificate::Use use() {
    return [this](const KeyPair& pair) -> Result<Done> {
      // Like TLS: a partially written file is not a key yet.
      if (!pair.key.ends_with("-----END PRIVATE KEY-----\n")) return invalid("no key");
      pairs.change([&](std::vector<KeyPair>& all) { all.push_back(pair); });
      return Done{};
    };
  }
  std::size_t count() {
    return pairs.with([](const std::vector<KeyPair>& all) { return all.size(); });
  }
  bool wait_for(std::size_t count) {
    return pairs.wait_until(
        std::chrono::steady_clock::now() + std::chrono::seconds(20),
        [&](const auto& all) { return all.size() >= count; },
        [&](const auto& all) { return all.size() == count; });
  }
};

TEST(ServingCertificate, IsRenewedInTime) {
  FakeClock clock;
  Used used;
  const auto ca = *CertificateAuthority::make("ca", clock.now());
  const auto serving = *ServingCertificate::start(
      {.authority = ca, .names = {"localhost", "127.0.0.1"}, .lifetime = hours(30)}, clock, nullptr,
      used.use());
  EXPECT_EQ(used.count(), 1u);
  clock.pass(hours(19));
  serving->look();
  EXPECT_EQ(used.count(), 1u);
  clock.pass(hours(1));
  serving->look();
  ASSERT_EQ(used.count(), 2u);
  const KeyPair next = used.pairs.with([](const auto& all) { return all.back(); });
  const auto facts = *read_certificate(next.certificate);
  EXPECT_EQ(facts.names, (std::vector<std::string>{"localhost", "127.0.0.1"}));
  EXPECT_EQ(rfc3339(facts.not_after), "2026-11-23T12:00:00Z");
}

TEST(ServingCertificate, FollowsItsFiles) {
  const FakeClock clock;
  const TempDir folder;
  Used used;
  const auto ca = *CertificateAuthority::make("ca", clock.now());
  const auto put = [&](const std::string& name, const KeyPair& pair) {
    std::filesystem::create_directory(folder.path() / name);
    write_file(folder.path() / name / "tls.crt", pair.certificate);
    write_file(folder.path() / name / "tls.key", pair.key);
  };
  const KeyPair first = *ca.issue_server({"a"}, clock.now(), hours(1));
  const KeyPair second = *ca.issue_server({"b"}, clock.now(), hours(1));
  put("one", first);
  put("two", second);
  // Like a Secret mount: links to a link to a folder.
  std::filesystem::create_symlink("one", folder.path() / "..data");
  std::filesystem::create_symlink("..data/tls.crt", folder.path() / "tls.crt");
  std::filesystem::create_symlink("..data/tls.key", folder.path() / "tls.key");
  const ServingOptions options{.certificate_file = folder.path() / "tls.crt",
                               .key_file = folder.path() / "tls.key"};
  const auto serving = *ServingCertificate::start(options, clock, nullptr, used.use());
  EXPECT_EQ(used.count(), 1u);
  std::filesystem::create_symlink("two", folder.path() / "..next");
  std::filesystem::rename(folder.path() / "..next", folder.path() / "..data");
  EXPECT_TRUE(used.wait_for(2));
  EXPECT_EQ(used.pairs.with([](const auto& all) { return all.back().key; }), second.key);
  // An unusable pair leaves the previous one in use.
  std::filesystem::remove(folder.path() / "tls.key");
  serving->look();
  write_file(folder.path() / "tls.key", "bad");
  serving->look();
  EXPECT_EQ(used.count(), 2u);
  std::filesystem::remove(folder.path() / "tls.key");
  write_file(folder.path() / "tls.crt", first.certificate);
  write_file(folder.path() / "tls.key", first.key);
  serving->look();
  EXPECT_EQ(used.pairs.with([](const auto& all) { return all.back().key; }), first.key);
}

TEST(ServingCertificate, RefusesWhatIsNotThere) {
  const FakeClock clock;
  const TempDir folder;
  Used used;
  EXPECT_FALSE(ServingCertificate::start({}, clock, nullptr, used.use()));
  EXPECT_FALSE(ServingCertificate::start(
      {.certificate_file = folder.path() / "a", .key_file = folder.path() / "b"}, clock, nullptr,
      used.use()));
}

}  // namespace
}  // namespace portico::identity
