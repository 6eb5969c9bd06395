// Slow, numerous or misbehaving clients are cut off while others are served.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <latch>
#include <set>
#include <thread>
#include <vector>

#include "base/monitor.h"
#include "http/internal/fair_line.h"
#include "http/tests/fixture.h"
#include "testing/cases.h"

namespace portico::http {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kGet = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

/// A handler that blocks until it is released.
struct Gate {
  struct State {
    bool open = false;
    int inside = 0;
  };
  Monitor<State> state;
  Answer pass(const Request& request) {
    state.change([](State& s) { ++s.inside; });
    state.wait([](const State& s) { return s.open; }, [](State&) {});
    return text_response(request.target);
  }
  void wait_for(int inside) {
    state.wait([&](const State& s) { return s.inside >= inside; }, [](State&) {});
  }
  void open() {
    state.change([](State& s) { s.open = true; });
  }
};

TEST(Limits, HalfRequestsAreNotWaitedForForever) {
  Options options = plain_options();
  options.times = {.head = milliseconds(60), .body = milliseconds(60), .idle = milliseconds(120)};
  const auto server = started(options, echo);
  const auto port = server->ports()[0];
  RawClient head(port), body(port), idle(port), nothing(port), good(port);
  head.send("GET / HTTP/1.1\r\nHo");
  body.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf");
  idle.send(kGet);
  EXPECT_EQ(idle.read_reply().status, 200);
  EXPECT_EQ(head.read_reply().status, 408);
  EXPECT_TRUE(head.at_end());
  EXPECT_EQ(body.read_reply().status, 408);
  EXPECT_TRUE(body.at_end());
  EXPECT_TRUE(idle.at_end());
  EXPECT_TRUE(nothing.at_end());
}

// Sends one byte at a time until a response arrives.
void send_slowly(RawClient& client) {
  const auto begin = std::chrono::steady_clock::now();
  while (::poll(nullptr, 0, 5) == 0 && client.send("a")) {
    pollfd wait{client.fd(), POLLIN, 0};
    if (::poll(&wait, 1, 0) > 0) break;
    ASSERT_LT(std::chrono::steady_clock::now() - begin, kPatience);
  }
}

TEST(Limits, ByteByByteIsNoWayAround) {
  Options options = plain_options();
  options.times.head = milliseconds(100);
  const auto server = started(options, echo);
  RawClient slow(server->ports()[0]);
  slow.send("GET / HTTP/1.1\r\nA: ");
  send_slowly(slow);
  EXPECT_EQ(slow.read_reply().status, 408);
}

TEST(Limits, ABodyByteByByteIsNoWayAroundEither) {
  for (const std::string_view head : {"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n",
                                      "PUT / HTTP/1.1\r\nHost: x\r\n"
                                      "Transfer-Encoding: chunked\r\n\r\nffff\r\n"}) {
    Options options = plain_options();
    options.times.body = milliseconds(100);
    const auto server = started(options, echo);
    RawClient slow(server->ports()[0]);
    slow.send(head);
    send_slowly(slow);
    EXPECT_EQ(slow.read_reply().status, 408) << head;
    EXPECT_TRUE(slow.at_end());
  }
}

TEST(Limits, AHandlerThatTakesTooLongIsNotWaitedFor) {
  Gate gate;
  Options options = plain_options();
  options.times.request = milliseconds(50);
  const auto server = started(options, [&](const Request& request) { return gate.pass(request); });
  RawClient client(server->ports()[0]);
  client.send(kGet);
  EXPECT_EQ(client.read_reply().status, 504);
  gate.open();
  EXPECT_TRUE(client.at_end()) << "and its answer does not come behind";
}

TEST(Limits, WhoDoesNotReadItsAnswerIsClosed) {
  Options options = plain_options();
  options.times.stalled = milliseconds(50);
  const auto server = started(options, [](const Request&) {
    return text_response(std::string(32u << 20, 'x'));  // more than socket buffers hold
  });
  RawClient client(server->ports()[0]);
  client.send(kGet);
  client.read_to("\r\n\r\n");
  while (server->counts().connections > 0) ::poll(nullptr, 0, 5);
  EXPECT_LT(client.read_all().size(), 32u << 20);
}

TEST(Limits, AnswersThatNobodyReadsShareALimit) {
  Options options = plain_options();
  options.limits.unsent_bytes = 64u << 20;
  const auto server =
      started(options, [](const Request&) { return text_response(std::string(24u << 20, 'x')); });
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 6; ++i) {
    clients.push_back(std::make_unique<RawClient>(server->ports()[0]));
    clients.back()->send(kGet);
    clients.back()->read_to("\r\n\r\n");  // so that they wait in this order
  }
  EXPECT_LE(server->counts().connections, 4);
  EXPECT_LT(clients[0]->read_all().size(), 24u << 20);
  EXPECT_EQ(clients[5]->read_bytes(24u << 20).size(), 24u << 20);
}

TEST(Limits, BodiesShareALimit) {
  Options options = plain_options();
  options.limits.body_bytes = 2u << 20;
  Gate gate;
  const auto server = started(options, [&](Request request) {
    const std::string size = std::to_string(request.body.size());
    request.target = size;
    return gate.pass(request);
  });
  const std::string upload =
      "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1500000\r\n\r\n" + std::string(1'500'000, 'a');
  RawClient first(server->ports()[0]), second(server->ports()[0]), third(server->ports()[0]);
  first.send(upload);
  gate.wait_for(1);
  second.send(upload);
  EXPECT_EQ(second.read_reply().status, 429);
  gate.open();
  EXPECT_EQ(first.read_reply().body, "1500000");
  third.send(upload);
  EXPECT_EQ(third.read_reply().body, "1500000");
}

TEST(Limits, OneFloodLeavesRoomForOthers) {
  Gate gate;
  auto handler =
      std::make_shared<TestHandler>([&](const Request& request) { return gate.pass(request); });
  handler->places = [](const Request& head) -> Place {
    return {.share = head.method == "GET" ? 0u : 1u, .flow = std::string(head.headers.get("User"))};
  };
  Options options = plain_options();
  options.shares = {Share{.name = "reads", .running = 2, .waiting = 20},
                    Share{.name = "writes", .running = 1, .waiting = 5}};
  const auto server = started(options, handler);
  const auto port = server->ports()[0];
  std::vector<std::unique_ptr<RawClient>> flood;
  for (int i = 0; i < 60; ++i) {
    flood.push_back(std::make_unique<RawClient>(port));
    flood.back()->send("GET /flood HTTP/1.1\r\nHost: x\r\nUser: eve\r\n\r\n");
  }
  gate.wait_for(2);
  while (server->counts().shares[0].refused < 38) ::poll(nullptr, 0, 2);
  // Another user gets a place in the full queue, and the other share is not affected.
  RawClient other(port), writer(port);
  other.send("GET /other HTTP/1.1\r\nHost: x\r\nUser: ana\r\n\r\n");
  writer.send("PUT /write HTTP/1.1\r\nHost: x\r\nUser: eve\r\nContent-Length: 0\r\n\r\n");
  gate.wait_for(3);
  while (server->counts().shares[0].refused < 39) ::poll(nullptr, 0, 2);
  gate.open();
  EXPECT_EQ(other.read_reply().body, "/other");
  EXPECT_EQ(writer.read_reply().body, "/write");
  int answered = 0, refused = 0;
  for (const auto& client : flood) {
    const auto reply = client->read_reply();
    answered += reply.status == 200;
    refused += reply.status == 429 && reply.head.find("Retry-After: 1\r\n") != std::string::npos;
  }
  EXPECT_EQ(answered, 21);
  EXPECT_EQ(refused, 39);
  while (server->counts().shares[0].handled < 22) ::poll(nullptr, 0, 2);
}

std::ptrdiff_t threads() {
  namespace fs = std::filesystem;
  return std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator());
}

TEST(Limits, HandlersHaveAsManyThreadsAsWereAtWorkAtOnce) {
  Gate gate;
  Options options = plain_options();
  options.shares = {Share{.name = "all", .running = 50}};
  const auto before = threads();
  const auto server = started(options, [&](const Request& request) { return gate.pass(request); });
  EXPECT_LT(threads(), before + 10);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(std::make_unique<RawClient>(server->ports()[0]));
    clients.back()->send("GET /one HTTP/1.1\r\nHost: x\r\n\r\n");
  }
  gate.wait_for(50);
  EXPECT_GE(threads(), before + 50);
  gate.open();
  for (const auto& client : clients) EXPECT_EQ(client->read_reply().body, "/one");
}

// No request of the flood ends before the other one has been answered.
TEST(Limits, OneFlowTakesOnlyItsPartOfAShare) {
  Gate gate;
  auto handler = std::make_shared<TestHandler>([&](const Request& request) -> Answer {
    if (request.headers.get("User") == "eve") return gate.pass(request);
    return text_response("answered");
  });
  handler->places = [](const Request& head) -> Place {
    return {.share = 0, .flow = std::string(head.headers.get("User"))};
  };
  Options options = plain_options();
  options.shares = {Share{.name = "all", .running = 4, .waiting = 5, .running_of_one = 3}};
  const auto server = started(options, handler);
  std::vector<std::unique_ptr<RawClient>> flood;
  for (int i = 0; i < 10; ++i) {
    flood.push_back(std::make_unique<RawClient>(server->ports()[0]));
    flood.back()->send("GET /flood HTTP/1.1\r\nHost: x\r\nUser: eve\r\n\r\n");
  }
  gate.wait_for(3);
  while (server->counts().shares[0].refused < 2) ::poll(nullptr, 0, 2);
  for (std::uint64_t i = 1; i <= 3; ++i) {
    RawClient other(server->ports()[0]);
    other.send("GET /other HTTP/1.1\r\nHost: x\r\nUser: ana\r\n\r\n");
    EXPECT_EQ(other.read_reply().body, "answered");
    // The place is freed shortly after the answer: an earlier request would have to wait, and the
    // queue is full.
    while (server->counts().shares[0].handled < i) ::poll(nullptr, 0, 2);
  }
  gate.open();
  int answered = 0;
  for (const auto& client : flood) answered += client->read_reply().status == 200;
  EXPECT_EQ(answered, 8);
}

TEST(Limits, OneFlowHasOnlySoManyStreams) {
  auto handler = std::make_shared<TestHandler>([](const Request&) -> Answer {
    return Streaming{.start = [](const std::shared_ptr<Stream>& stream) {
      stream->write(std::make_shared<const std::string>("begun"));
    }};
  });
  handler->places = [](const Request& head) -> Place {
    return {.share = 0, .flow = std::string(head.headers.get("User"))};
  };
  Options options = plain_options();
  options.shares = {Share{.name = "all", .streams = 3, .streams_of_one = 2}};
  const auto server = started(options, handler);
  const std::string eve = "GET / HTTP/1.1\r\nHost: x\r\nUser: eve\r\n\r\n";
  const std::string ana = "GET / HTTP/1.1\r\nHost: x\r\nUser: ana\r\n\r\n";
  {
    RawClient first(server->ports()[0]), second(server->ports()[0]), third(server->ports()[0]);
    for (RawClient* client : {&first, &second}) {
      client->send(eve);
      client->read_to("begun");
    }
    third.send(eve);
    EXPECT_EQ(third.read_reply().status, 429);
    RawClient other(server->ports()[0]);
    other.send(ana);
    other.read_to("begun");
  }
  while (server->counts().shares[0].streams > 0) ::poll(nullptr, 0, 2);
  RawClient again(server->ports()[0]);
  again.send(eve);
  again.read_to("begun");
}

TEST(Limits, ThousandsOfConnectionsAreServed) {
  constexpr int kMany = 4000;
  Options options = plain_options();
  options.shares[0].waiting = kMany;
  const auto server = started(options, echo);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < kMany; ++i) {
    auto client = std::make_unique<RawClient>(server->ports()[0]);
    if (!client->connected()) break;  // limited by the system's descriptors
    clients.push_back(std::move(client));
  }
  EXPECT_GE(clients.size(), 400u);
  for (int round = 0; round < 2; ++round) {
    for (const auto& client : clients) ASSERT_TRUE(client->send(kGet));
    for (const auto& client : clients) ASSERT_EQ(client->read_reply().status, 200);
  }
  EXPECT_EQ(server->counts().connections, clients.size());
}

TEST(Limits, IdleConnectionsMakeRoomForNewOnes) {
  Options options = plain_options();
  options.limits.connections = 100;
  const auto server = started(options, echo);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 500; ++i) {
    clients.push_back(std::make_unique<RawClient>(server->ports()[0]));
    ASSERT_TRUE(clients.back()->connected());
  }
  RawClient late(server->ports()[0]);
  late.send(kGet);
  EXPECT_EQ(late.read_reply().status, 200);
  EXPECT_LE(server->counts().connections, 100u);
}

TEST(Limits, OneClientHasOnlySoManyConnections) {
  const testing::TempDir folder;
  Options options = plain_options();
  options.limits.connections_per_client = 10;
  options.listeners.push_back(Listener{.unix_path = folder.path() / "s"});
  const auto server = started(options, echo);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<RawClient>(server->ports()[0]));
    clients.back()->send(kGet);
    EXPECT_EQ(clients.back()->read_reply().status, 200);
  }
  EXPECT_TRUE(RawClient(server->ports()[0]).at_end());
  RawClient other((folder.path() / "s").string());
  other.send(kGet);
  EXPECT_EQ(other.read_reply().status, 200);
  EXPECT_EQ(server->counts().turned_away, 1u);
}

TEST(Limits, RefusalsAreReadEvenByThoseWhoStillSend) {
  const auto server = started(plain_options(), echo);
  RawClient client(server->ports()[0]);
  client.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n");
  client.send(std::string(2u << 20, 'x'));
  const auto reply = client.read_reply();
  EXPECT_EQ(reply.status, 413);
  EXPECT_EQ(reply.body, "the body is too large\n");
}

TEST(Limits, GarbageIsRefusedAndNothingElseHappens) {
  const auto server = started(plain_options(), echo);
  std::string bytes;
  std::uint32_t random = 1;
  for (int i = 0; i < 300; ++i) {
    bytes.clear();
    for (int n = 0; n < 200; ++n) {
      random = random * 1664525 + 1013904223;
      bytes += static_cast<char>(random >> 24);
    }
    RawClient client(server->ports()[0]);
    client.send(bytes + "\r\n\r\n");
    const auto reply = client.read_reply();
    EXPECT_TRUE(reply.status == 400 || reply.status == 414 || reply.status == 0) << reply.head;
  }
  RawClient good(server->ports()[0]);
  good.send(kGet);
  EXPECT_EQ(good.read_reply().status, 200);
}

TEST(FairLine, LetsFlowsTakeTurns) {
  internal::FairLine<int> line(6);
  for (int i = 1; i <= 4; ++i) EXPECT_FALSE(line.add("a", i));
  EXPECT_FALSE(line.add("b", 10));
  EXPECT_FALSE(line.add("c", 20));
  EXPECT_EQ(line.add("b", 11), 4) << "the newest of whoever has most";
  EXPECT_EQ(line.add("a", 5), 5);
  std::vector<int> order;
  while (const auto item = line.take()) order.push_back(*item);
  EXPECT_EQ(order, (std::vector<int>{1, 10, 20, 2, 11, 3}));
  EXPECT_EQ(line.size(), 0u);
}

}  // namespace
}  // namespace portico::http
