// Client and server of the evaluator protocol, over a real connection.
#include <gtest/gtest.h>

#include <future>
#include <string>
#include <thread>
#include <vector>

#include "base/world_error.h"
#include "fngrpc/link.h"

namespace portico::fngrpc {
namespace {

using fnrun::EvaluateReply;
using fnrun::EvaluateRequest;
using fnrun::EvaluatorOptions;

struct Fixture {
  explicit Fixture(fnrun::EvaluateHandler handler, const EvaluatorOptions& options = {}) {
    auto served = link.serve("127.0.0.1:0", std::move(handler), options);
    if (!served) throw std::runtime_error(served.error().text());
    server = *std::move(served);
    client = link.connect("127.0.0.1:" + std::to_string(server->port()), options);
  }
  GrpcLink link;
  std::unique_ptr<fnrun::EvaluatorServer> server;
  std::unique_ptr<fnrun::Evaluator> client;
};

Result<EvaluateReply> echo(const EvaluateRequest& request) {
  return EvaluateReply{request.resource_list, "ran " + request.image};
}

TEST(Evaluator, HandsListAndLogOver) {
  const Fixture fixture(echo);
  using std::string_literals::operator""s;
  const std::string bytes = "a\0b\xff\n"s + std::string(1 << 20, 'x');
  const auto reply = fixture.client->evaluate({"example.com/fn:v1", bytes});
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->resource_list, bytes);
  EXPECT_EQ(reply->log, "ran example.com/fn:v1");
}

TEST(Evaluator, ErrorsKeepTheirCodeAndText) {
  const Fixture fixture([](const EvaluateRequest& request) -> Result<EvaluateReply> {
    if (request.image == "absent") return not_found("no function \"absent\"");
    if (request.image == "busy") return unavailable("try later");
    return invalid("function \"{}\" failed: bad replicas", request.image);
  });
  const auto absent = fixture.client->evaluate({"absent", ""});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, Code::kNotFound);
  EXPECT_EQ(absent.error().what, "no function \"absent\"");
  EXPECT_EQ(fixture.client->evaluate({"busy", ""}).error().code, Code::kUnavailable);
  const auto failed = fixture.client->evaluate({"f", ""});
  EXPECT_EQ(remedy_of(failed.error()), Remedy::kOperator) << "it may be the server that failed";
  EXPECT_EQ(failed.error().what, "function \"f\" failed: bad replicas");
}

TEST(Evaluator, MessagesThatAreTooLargeAreRefused) {
  EvaluatorOptions small;
  small.message_bytes = 1000;
  const Fixture fixture(echo, small);
  const auto reply = fixture.client->evaluate({"f", std::string(2000, 'x')});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kInvalid);
}

TEST(Evaluator, SaysWhenNobodyIsThere) {
  std::string address;
  {
    const Fixture gone(echo);
    address = "127.0.0.1:" + std::to_string(gone.server->port());
  }
  const auto reply = GrpcLink().connect(address, {})->evaluate({"f", ""});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kUnavailable);
  EXPECT_NE(reply.error().what.find(address), std::string::npos) << reply.error().what;
}

TEST(Evaluator, GivesUpWhenTheTimeIsOver) {
  EvaluatorOptions hasty;
  hasty.timeout = std::chrono::milliseconds(50);
  std::promise<void> over;
  const auto released = over.get_future().share();
  const Fixture fixture(
      [released](const EvaluateRequest& request) {
        released.wait();
        return echo(request);
      },
      hasty);
  const auto reply = fixture.client->evaluate({"f", ""});
  over.set_value();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kUnavailable);
}

TEST(Evaluator, ServesManyAtATime) {
  const Fixture fixture(echo);
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int k = 0; k < 20; ++k) {
        const std::string text = std::to_string(i * 100 + k);
        const auto reply = fixture.client->evaluate({"f", text});
        right += reply && reply->resource_list == text ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 160);
}

TEST(Evaluator, CannotListenTwice) {
  const Fixture fixture(echo);
  const auto second =
      GrpcLink().serve("127.0.0.1:" + std::to_string(fixture.server->port()), echo, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kUnavailable);
}

}  // namespace
}  // namespace portico::fngrpc
