// Connection reuse by the client.
#include "http/client.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/guarded.h"
#include "http/tests/fixture.h"

namespace portico::http {
namespace {

using std::chrono::milliseconds;

class ClientTest : public ::testing::Test {
 protected:
  std::uint64_t accepted() const { return server_->counts().accepted; }
  bool works(const Call& call) const { return client_->send(call).ok(); }

  Guarded<std::vector<std::shared_ptr<Stream>>> streams_;
  // "/for-ever" is answered with a stream that never ends.
  const std::unique_ptr<Server> server_ = started(plain_options(), [this](const Request& request) {
    if (request.target != "/for-ever") return echo(request);
    return Answer(Streaming{.head = text_response(""), .start = [this](std::shared_ptr<Stream> s) {
                              streams_.with([&](auto& all) { all.push_back(std::move(s)); });
                            }});
  });
  const std::unique_ptr<Client> client_ =
      *Client::make({.server = "http://127.0.0.1:" + std::to_string(server_->ports()[0])});
};

TEST_F(ClientTest, KeepsAConnectionUnlessItIsToBeAnew) {
  ASSERT_TRUE(works({}));
  ASSERT_TRUE(works({}));
  EXPECT_EQ(accepted(), 1u);
  ASSERT_TRUE(works({.anew = true}));
  EXPECT_EQ(accepted(), 2u);
}

TEST_F(ClientTest, TrustsNoKeptConnectionAfterACallWithoutAnAnswer) {
  ASSERT_TRUE(client_->stream({}, [&](std::string_view) { return works({}); }));
  ASSERT_EQ(accepted(), 2u);
  EXPECT_FALSE(works({.target = "/for-ever", .time = milliseconds(50)}));
  EXPECT_EQ(accepted(), 2u) << "by one of the two";
  ASSERT_TRUE(works({}));
  EXPECT_EQ(accepted(), 3u) << "and not by the other one";
}

TEST_F(ClientTest, GivesUpAResponseThatDoesNotBegin) {
  // Connections are established, but nobody answers.
  const Fd silent(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(silent.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(silent.get(), 8), 0);
  ASSERT_EQ(::getsockname(silent.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  const auto client =
      *Client::make({.server = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port))});
  const auto none = client->stream({.time = kPatience, .first = milliseconds(100)},
                                   [](std::string_view) { return true; });
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().reason, Reason::kTimeout);
  EXPECT_NE(none.error().text().find("it did not begin within 100 ms"), std::string::npos)
      << none.error().text();
}

TEST_F(ClientTest, WaitsForAResponseThatHasBegun) {
  const auto slow = client_->stream(
      {.target = "/for-ever", .time = milliseconds(400), .first = milliseconds(100)},
      [](std::string_view) { return true; });
  ASSERT_FALSE(slow);
  EXPECT_EQ(slow.error().text().find("did not begin"), std::string::npos) << slow.error().text();
}

}  // namespace
}  // namespace portico::http
