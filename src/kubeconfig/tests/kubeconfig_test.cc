// Kubeconfigs: parsing, printing, and the client options made from them.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "kubeconfig/config.h"
#include "kubeconfig/connect.h"
#include "kubeconfig/exec_plugin.h"
#include "testing/cases.h"

namespace portico::kubeconfig {
namespace {

using testing::TempDir;
using testing::write_file;

struct FakeClock : Clock {
  TimePoint at = *parse_rfc3339("2026-11-21T10:00:00Z");
  TimePoint now() const override { return at; }
};

class ConfigFile : public ::testing::TestWithParam<testing::Case> {};
TEST_P(ConfigFile, Case) {
  const auto config = parse_config(GetParam()["file"], "/home/ana/.kube");
  GetParam().expect("read", config ? print_config(*config) : config.error().text() + "\n");
  if (config) {
    const auto again = parse_config(print_config(*config), "");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_TRUE(*again == *config);
  }
}
INSTANTIATE_TEST_SUITE_P(Data, ConfigFile,
                         ::testing::ValuesIn(testing::cases("kubeconfig/tests/data/config")),
                         testing::case_name);

Config small(User user) {
  return {.clusters = {{"c", {.server = "https://127.0.0.1:1", .ca = {.data = "CA"}}}},
          .users = {{"u", std::move(user)}},
          .contexts = {{"one", {.cluster = "c", .user = "u"}},
                       {"two", {.cluster = "c", .user = "gone", .ns = "n"}}},
          .current_context = "one"};
}

TEST(Kubeconfig, ChoosesAContext) {
  const Config config = small({.token = "t"});
  EXPECT_EQ(choose(config, "")->user.token, "t");
  EXPECT_EQ(choose(config, "three").error().text(),
            "context \"three\" does not exist in the kubeconfig; it has: one, two");
  EXPECT_EQ(choose(config, "two").error().text(),
            "context two: user \"gone\" does not exist in the kubeconfig; it has: u");
  EXPECT_FALSE(choose({}, ""));
}

TEST(Kubeconfig, FilesAreMergedAndTheFirstOneCounts) {
  const TempDir folder;
  Config first = small({.token = "first"});
  first.current_context = "";
  Config second = small({.token = "second"});
  second.contexts["more"] = {.cluster = "c", .user = "u"};
  const std::string a = folder.path() / "a", b = folder.path() / "b";
  ASSERT_TRUE(write_config(a, first) && write_config(b, second));
  const auto config = load({"", folder.path() / "none", a, b});
  ASSERT_TRUE(config) << config.error().text();
  EXPECT_EQ(choose(*config, "more")->user.token, "first");
  EXPECT_EQ(config->current_context, "one");
  write_file(b, "clusters: 3\n");
  EXPECT_EQ(load({a, b}).error().text(), b + ": clusters is not a list");
}

TEST(Kubeconfig, IsWrittenForItsOwnerAlone) {
  const TempDir folder;
  const std::string path = folder.path() / "config";
  ASSERT_TRUE(write_config(path, small({.token = "t"})));
  struct stat there {};
  ASSERT_EQ(::stat(path.c_str(), &there), 0);
  EXPECT_EQ(there.st_mode & 0777, 0600u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  EXPECT_FALSE(write_config(folder.path() / "none/config", {}));
}

TEST(Kubeconfig, ReadsTheFilesThatItNames) {
  const TempDir folder;
  const FakeClock clock;
  write_file(folder.path() / "crt", "CERT");
  write_file(folder.path() / "key", "KEY");
  write_file(folder.path() / "token", "first\n");
  Config config = small({.certificate = {.file = folder.path() / "crt"},
                         .key = {.file = folder.path() / "key"},
                         .token = "not this",
                         .token_file = folder.path() / "token",
                         .as = "bo",
                         .as_groups = {"a", "b"}});
  config.clusters["c"].tls_server_name = "api";
  config.contexts["one"].ns = "team";
  auto target = connect(*choose(config, ""), clock);
  ASSERT_TRUE(target) << target.error().text();
  EXPECT_EQ(target->ns, "team");
  EXPECT_EQ(target->client.tls.ca, "CA");
  EXPECT_EQ(target->client.tls.certificate, "CERT");
  EXPECT_EQ(target->client.tls.key, "KEY");
  EXPECT_EQ(target->client.tls.server_name, "api");
  EXPECT_EQ(target->client.headers.get("Impersonate-User"), "bo");
  EXPECT_EQ(target->client.headers.all("Impersonate-Group").size(), 2u);
  EXPECT_EQ(*target->client.token(false), "first");
  write_file(folder.path() / "token", "second\n");
  EXPECT_EQ(*target->client.token(false), "second");
  write_file(folder.path() / "crt", "CERT 2");
  EXPECT_EQ(target->client.tls_now()->certificate, "CERT 2");
  EXPECT_EQ(target->client.tls_now()->server_name, "api");
  config.users["u"].key.file = folder.path() / "none";
  EXPECT_FALSE(connect(*choose(config, ""), clock));
}

TEST(Kubeconfig, RunsPluginsAgainWhenTheirTokenIsOver) {
  const TempDir folder;
  FakeClock clock;
  const std::string plugin = folder.path() / "plugin";
  write_file(plugin, R"(#!/bin/sh
n=$(cat "$COUNT" 2>/dev/null || echo 0)
echo $((n + 1)) > "$COUNT"
case "$KUBERNETES_EXEC_INFO" in *'"server":"https://127.0.0.1:1"'*) ;; *) exit 3;; esac
echo "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"$1-$n\",\"expirationTimestamp\":\"2026-11-21T11:00:00Z\"}}"
)");
  std::filesystem::permissions(plugin, std::filesystem::perms::owner_all);
  const Config config = small({.exec = Exec{.command = plugin,
                                            .api_version = "client.authentication.k8s.io/v1",
                                            .args = {"token"},
                                            .env = {{"COUNT", folder.path() / "count"}},
                                            .provide_cluster_info = true}});
  const auto target = connect(*choose(config, ""), clock);
  ASSERT_TRUE(target) << target.error().text();
  EXPECT_EQ(*target->client.token(false), "token-0");
  EXPECT_EQ(*target->client.token(false), "token-0");
  EXPECT_EQ(*target->client.token(true), "token-1") << "refused by the server";
  clock.at = *parse_rfc3339("2026-11-21T10:59:55Z");
  EXPECT_EQ(*target->client.token(false), "token-2") << "nearly over";
}

TEST(Kubeconfig, SaysHowPluginsFail) {
  const FakeClock clock;
  const auto error = [&](Exec exec) {
    return connect(*choose(small({.exec = std::move(exec)}), ""), clock).error();
  };
  const std::string v1 = "client.authentication.k8s.io/v1";
  Error missing =
      error({.command = "/no/such", .api_version = v1, .install_hint = "get it from X"});
  EXPECT_NE(missing.text().find("get it from X"), std::string::npos) << missing.text();
  EXPECT_NE(error({.command = "false", .api_version = v1}).text().find("failed with status 1"),
            std::string::npos);
  EXPECT_NE(error({.command = "true", .api_version = v1}).text().find("not an ExecCredential"),
            std::string::npos);
  EXPECT_NE(error({.command = "true", .api_version = "v1alpha1"}).text().find("unsupported"),
            std::string::npos);
  EXPECT_NE(error({.command = "true", .api_version = v1, .interactive_mode = "Always"})
                .text()
                .find("terminal"),
            std::string::npos);
}

TEST(Kubeconfig, KnowsAPod) {
  const TempDir folder;
  write_file(folder.path() / "ca.crt", "CA");
  write_file(folder.path() / "token", "t");
  write_file(folder.path() / "namespace", "team");
  const auto target = connect_in_cluster("fd00::1", "443", folder.path());
  ASSERT_TRUE(target) << target.error().text();
  EXPECT_EQ(target->client.server, "https://[fd00::1]:443");
  EXPECT_EQ(target->ns, "team");
  EXPECT_EQ(*target->client.token(false), "t");
  EXPECT_EQ(*target->client.tls_now(), target->client.tls);
  write_file(folder.path() / "ca.crt", "CA of tomorrow");
  EXPECT_EQ(target->client.tls_now()->ca, "CA of tomorrow") << "the volume of a pod is replaced";
  write_file(folder.path() / "token", "token of tomorrow\n");
  EXPECT_EQ(*target->client.token(false), "token of tomorrow");
  write_file(folder.path() / "token", "");
  EXPECT_FALSE(target->client.token(false)) << "half written";
  EXPECT_FALSE(connect_in_cluster("", "", folder.path()));
  EXPECT_FALSE(connect_in_cluster("10.0.0.1", "443", folder.path() / "none"));
}

}  // namespace
}  // namespace portico::kubeconfig
