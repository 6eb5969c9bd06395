// kubectl, if installed, and Portico's own client reach a server with the kubeconfig that Portico
// writes.
#include <gtest/gtest.h>

#include "http/client.h"
#include "http/server.h"
#include "identity/authenticator.h"
#include "identity/certificates.h"
#include "kubeconfig/connect.h"
#include "process/process.h"
#include "testing/cases.h"

namespace portico::kubeconfig {
namespace {

using std::chrono::hours;

/// Answers /whoami with the user, and /watch with three lines.
struct WhoAmI : http::Handler {
  explicit WhoAmI(const Clock& clock) : who({}, clock) {}
  http::Answer handle(http::Request request) override {
    const auto user = who.user_of(request);
    if (!user) return http::Response{.status = 401, .body = "{}"};
    if (request.path() == "/watch")
      return http::Streaming{.head = {}, .start = [](const std::shared_ptr<http::Stream>& stream) {
                               for (const char* line : {"one\n", "two\n", "three\n"})
                                 stream->write(std::make_shared<const std::string>(line));
                               stream->end();
                             }};
    std::string text = user->name;
    for (const std::string& group : user->groups) text += " " + group;
    return http::Response{.headers = {{"Content-Type", "application/json"}},
                          .body = "\"" + text + " " + std::string(request.path()) + "\"\n"};
  }
  identity::Authenticator who;
};

TEST(Kubectl, ReachesTheServer) {
  const SystemClock clock;
  const testing::TempDir folder;
  const auto ca = *identity::CertificateAuthority::make("portico-ca", clock.now());
  const auto serving = *ca.issue_server({"127.0.0.1"}, clock.now(), hours(1));
  const auto admin = *ca.issue_client("admin", {"system:masters"}, clock.now(), hours(1));
  http::Options options;
  options.tls = {
      .certificate = serving.certificate, .key = serving.key, .client_ca = ca.certificate()};
  const auto server = *http::Server::start(options, std::make_shared<WhoAmI>(clock));
  const Config config{
      .clusters = {{"portico",
                    {.server = "https://127.0.0.1:" + std::to_string(server->ports()[0]),
                     .ca = {.data = ca.certificate()}}}},
      .users = {{"admin",
                 {.certificate = {.data = admin.certificate}, .key = {.data = admin.key}}}},
      .contexts = {{"portico", {.cluster = "portico", .user = "admin"}}},
      .current_context = "portico"};
  const std::string path = folder.path() / "kubeconfig";
  ASSERT_TRUE(write_config(path, config));

  const std::string expected = "\"admin system:masters system:authenticated /whoami\"\n";
  const auto target = connect(*choose(*load({path}), ""), clock);
  ASSERT_TRUE(target) << target.error().text();
  const auto client = *http::Client::make(target->client);
  const auto answer = client->send({.target = "/whoami"});
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->body, expected);

  if (process::find_program("kubectl").empty()) GTEST_SKIP() << "there is no kubectl";
  const auto kubectl = [&](const std::string& what) {
    return process::run({.argv = {"kubectl", "--kubeconfig", path, "get", "--raw", what},
                         .environment = process::own_environment(),
                         .input = {}},
                        {.time = std::chrono::minutes(1)});
  };
  const auto asked = kubectl("/whoami");
  ASSERT_TRUE(asked) << asked.error().text();
  EXPECT_EQ(asked->output, expected) << asked->stderr_text;
  EXPECT_EQ(kubectl("/watch")->output, "one\ntwo\nthree\n");
}

}  // namespace
}  // namespace portico::kubeconfig
