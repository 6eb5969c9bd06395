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

}  // namespace
}  // namespace portico::http
