// A kubeconfig's proxy-url: all requests go through that proxy, as a tunnel.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/guarded.h"
#include "http/client.h"
#include "http/server.h"
#include "identity/certificates.h"
#include "kubeconfig/connect.h"
#include "testing/cases.h"

namespace portico::kubeconfig {
namespace {

using std::chrono::hours;

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return out;
}

/// A CONNECT proxy: every tunnel ends at the port of the server, whatever host was asked for.
class Proxy {
 public:
  explicit Proxy(std::uint16_t server)
      : server_(server), listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_.get(), raw, size) != 0 || ::listen(listener_.get(), 8) != 0 ||
        ::getsockname(listener_.get(), raw, &size) != 0)
      throw std::runtime_error("no socket for the proxy");
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this] { run(); });
  }
  ~Proxy() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    tunnels_.with([](auto& all) {
      for (const auto& each : all) ::shutdown(each->client.get(), SHUT_RDWR);
    });
    thread_.join();
    threads_.clear();
  }
  std::string url() const { return fmt::format("http://127.0.0.1:{}", port_); }
  std::vector<std::string> requests() const {
    return requests_.with([](const auto& all) { return all; });
  }

 private:
  struct Tunnel {
    Fd client, server;
  };

  void run() {
    while (true) {
      Fd client(::accept(listener_.get(), nullptr, nullptr));
      if (!client) return;
      const auto tunnel = std::make_shared<Tunnel>();
      tunnel->client = std::move(client);
      tunnels_.with([&](auto& all) { all.push_back(tunnel); });
      threads_.emplace_back([this, tunnel] { serve(*tunnel); });
    }
  }

  void serve(Tunnel& tunnel) {
    std::string head;
    for (char next = 0; !head.ends_with("\r\n\r\n");) {
      if (::read(tunnel.client.get(), &next, 1) != 1) return;
      head += next;
    }
    requests_.with([&](auto& all) { all.push_back(head.substr(0, head.find('\r'))); });
    tunnel.server = Fd(::socket(AF_INET, SOCK_STREAM, 0));
    const sockaddr_in address = loopback(server_);
    const std::string answer = "HTTP/1.1 200 Connection established\r\n\r\n";
    if (::connect(tunnel.server.get(), reinterpret_cast<const sockaddr*>(&address),
                  sizeof address) != 0 ||
        !write_all(tunnel.client.get(), answer))
      return;
    std::array<pollfd, 2> ends{pollfd{tunnel.client.get(), POLLIN, 0},
                               pollfd{tunnel.server.get(), POLLIN, 0}};
    while (::poll(ends.data(), ends.size(), -1) > 0)
      for (const int i : {0, 1}) {
        if (ends[i].revents == 0) continue;
        std::array<char, 4096> bytes{};
        const ssize_t count = ::read(ends[i].fd, bytes.data(), bytes.size());
        if (count <= 0 ||
            !write_all(ends[1 - i].fd, {bytes.data(), static_cast<std::size_t>(count)})) {
          ::shutdown(tunnel.client.get(), SHUT_RDWR);
          ::shutdown(tunnel.server.get(), SHUT_RDWR);
          return;
        }
      }
  }

  static bool write_all(int to, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  const std::uint16_t server_;
  const Fd listener_;
  std::uint16_t port_ = 0;
  Guarded<std::vector<std::string>> requests_;  // their first lines
  Guarded<std::vector<std::shared_ptr<Tunnel>>> tunnels_;
  std::vector<std::jthread> threads_;
  std::jthread thread_;
};

struct Echo : http::Handler {
  http::Answer handle(http::Request request) override {
    return http::Response{.body = request.target};
  }
};

class ProxyUrl : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ::setenv("NO_PROXY", GetParam(), 1); }
  void TearDown() override { ::unsetenv("NO_PROXY"); }
};

// NO_PROXY is for proxies from the environment, as in kubectl.
TEST_P(ProxyUrl, IsTheProxyOfAllRequests) {
  const SystemClock clock;
  const testing::TempDir folder;
  const auto ca = *identity::CertificateAuthority::make("ca", clock.now());
  const auto serving = *ca.issue_server({"api.example.invalid"}, clock.now(), hours(1));
  http::Options options;
  options.tls = {.certificate = serving.certificate, .key = serving.key};
  const auto server = *http::Server::start(options, std::make_shared<Echo>());
  const Proxy proxy(server->ports()[0]);
  const std::string path = folder.path() / "kubeconfig";
  ASSERT_TRUE(write_config(path, {.clusters = {{"c",
                                                {.server = "https://api.example.invalid:6443",
                                                 .ca = {.data = ca.certificate()},
                                                 .proxy_url = proxy.url()}}},
                                  .users = {{"u", {.token = "t"}}},
                                  .contexts = {{"c", {.cluster = "c", .user = "u"}}},
                                  .current_context = "c"}));
  const auto target = connect(*choose(*load({path}), ""), clock);
  ASSERT_TRUE(target) << target.error().text();
  const auto client = *http::Client::make(target->client);

  const auto response = client->send({.target = "/version"});
  ASSERT_TRUE(response) << response.error().text();
  EXPECT_EQ(response->body, "/version");
  std::string streamed;
  const auto stream =
      client->stream({.target = "/watch", .anew = true}, [&](std::string_view part) {
        streamed += part;
        return true;
      });
  ASSERT_TRUE(stream) << stream.error().text();
  EXPECT_EQ(streamed, "/watch");
  const std::string tunnel = "CONNECT api.example.invalid:6443 HTTP/1.1";
  EXPECT_EQ(proxy.requests(), (std::vector<std::string>{tunnel, tunnel}));
}
INSTANTIATE_TEST_SUITE_P(NoProxy, ProxyUrl, ::testing::Values("", "*", ".example.invalid"));

}  // namespace
}  // namespace portico::kubeconfig
