// A client in a pod, whose kubelet replaces the token while it runs.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "http/client.h"
#include "http/server.h"
#include "identity/certificates.h"
#include "kubeconfig/connect.h"
#include "testing/cases.h"

namespace portico::kubeconfig {
namespace {

using std::chrono::hours;
using testing::write_file;

/// The volume of a service account: links to the files of a folder that is replaced as a whole.
class Volume {
 public:
  explicit Volume(std::filesystem::path folder) : folder_(std::move(folder)) {
    for (const char* file : {"ca.crt", "token", "namespace"})
      std::filesystem::create_symlink(std::filesystem::path("..data") / file, folder_ / file);
  }
  void replace(const std::string& ca, const std::string& token) {
    const std::string name = fmt::format("..{}", ++versions_);
    write_file(folder_ / name / "ca.crt", ca);
    write_file(folder_ / name / "token", token);
    write_file(folder_ / name / "namespace", "team");
    std::filesystem::create_directory_symlink(name, folder_ / "..data_tmp");
    std::filesystem::rename(folder_ / "..data_tmp", folder_ / "..data");
  }

 private:
  const std::filesystem::path folder_;
  int versions_ = 0;
};

/// Accepts one token. If another one arrives, `refuses` is called before the answer is 401.
struct Door : http::Handler {
  http::Answer handle(http::Request request) override {
    const std::string header(request.headers.get("Authorization"));
    seen.with([&](auto& all) { all.push_back(header); });
    if (header == "Bearer " + accepted.with([](const std::string& is) { return is; }))
      return http::Response{.body = "welcome"};
    if (refuses) refuses();
    return http::Response{.status = 401};
  }
  Guarded<std::string> accepted;
  Guarded<std::vector<std::string>> seen;
  std::function<void()> refuses;
};

class InCluster : public ::testing::Test {
 protected:
  std::unique_ptr<http::Server> serve() {
    const auto serving = *ca_.issue_server({"127.0.0.1"}, clock_.now(), hours(1));
    http::Options options;
    options.tls = {.certificate = serving.certificate, .key = serving.key};
    return *http::Server::start(options, door_);
  }
  std::unique_ptr<http::Client> connected(const http::Server& server) const {
    return *http::Client::make(
        connect_in_cluster("127.0.0.1", std::to_string(server.ports()[0]), folder_.path())->client);
  }
  void put(const std::string& token) { volume_.replace(ca_.certificate(), token); }
  void accept(const std::string& token) const {
    door_->accepted.with([&](std::string& is) { is = token; });
  }

  const SystemClock clock_{};
  const identity::CertificateAuthority ca_ =
      *identity::CertificateAuthority::make("ca", clock_.now());
  const testing::TempDir folder_;
  Volume volume_{folder_.path()};
  const std::shared_ptr<Door> door_ = std::make_shared<Door>();
};

TEST_F(InCluster, SendsTheTokenThatIsThereNow) {
  put("today");
  accept("today");
  const auto server = serve();
  const auto client = connected(*server);
  EXPECT_EQ(client->send({})->status, 200);
  put("tomorrow");
  accept("tomorrow");
  EXPECT_EQ(client->send({})->status, 200);
  EXPECT_EQ(client->stream({}, [](std::string_view) { return true; })->status, 200);
  const std::vector<std::string> expected{"Bearer today", "Bearer tomorrow", "Bearer tomorrow"};
  EXPECT_EQ(door_->seen.with([](auto& all) { return all; }), expected);
}

TEST_F(InCluster, SendsACallAgainIfTheTokenWasReplacedMeanwhile) {
  put("today");
  accept("tomorrow");
  door_->refuses = [&] { put("tomorrow"); };
  const auto server = serve();
  EXPECT_EQ(connected(*server)->send({})->status, 200);
  accept("never");
  door_->refuses = {};
  EXPECT_EQ(connected(*server)->send({})->status, 401);
  EXPECT_EQ(door_->seen.with([](auto& all) { return all.size(); }), 3u)
      << "the same token is not sent twice";
}

}  // namespace
}  // namespace portico::kubeconfig
