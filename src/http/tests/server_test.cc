// The server on real sockets: connections, bodies, streams, stop.
#include "http/server.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <atomic>
#include <future>
#include <latch>
#include <thread>

#include "base/monitor.h"
#include "http/tests/fixture.h"
#include "testing/cases.h"

namespace portico::http {
namespace {

using std::chrono::milliseconds;

std::string get(std::string_view target) {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

TEST(Server, AnswersAgainAndAgainOnOneConnection) {
  const auto server = started(plain_options(), echo);
  RawClient client(server->ports()[0]);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(client.send(get("/" + std::to_string(i))));
    const auto reply = client.read_reply();
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, "GET /" + std::to_string(i) + "\n");
  }
  EXPECT_EQ(server->counts().accepted, 1);
}

TEST(Server, AnswersPipelinedRequestsInOrder) {
  const auto server = started(plain_options(), echo);
  RawClient client(server->ports()[0]);
  std::string requests;
  for (int i = 0; i < 500; ++i)
    requests +=
        "POST /" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc";
  std::thread sender([&] { client.send(requests); });
  for (int i = 0; i < 500; ++i) {
    const auto reply = client.read_reply();
    EXPECT_EQ(reply.body, "POST /" + std::to_string(i) + "\nContent-Length: 3\nabc");
  }
  sender.join();
}

TEST(Server, ReadsBodiesOfAnyFormAndSize) {
  auto handler = std::make_shared<TestHandler>([](const Request& request) {
    return text_response(std::to_string(request.body.size()) + request.body.substr(0, 3));
  });
  handler->limit = 16u << 20;
  const auto server = started(plain_options(), handler);
  RawClient client(server->ports()[0]);
  const std::string big(10u << 20, 'x');
  client.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(big.size()) +
              "\r\n\r\n" + big);
  EXPECT_EQ(client.read_reply().body, "10485760xxx");
  client.send("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 10; ++i) client.send("100000\r\n" + big.substr(0, 1u << 20) + "\r\n");
  client.send("0\r\nLate: field\r\n\r\n");
  EXPECT_EQ(client.read_reply().body, "10485760xxx");
  client.send(
      "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n" +
      get("/"));
  EXPECT_EQ(client.read_reply().body, "2ab");
  EXPECT_EQ(client.read_reply().body, "0");
}

TEST(Server, SaysContinueWhenAsked) {
  const auto server = started(plain_options(), echo);
  RawClient client(server->ports()[0]);
  client.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_to("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ab");
  EXPECT_TRUE(client.read_reply().body.ends_with("\nab"));
  // A request that is refused anyway gets no "100 Continue".
  client.send(
      "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_reply().status, 413);
  EXPECT_TRUE(client.at_end());
}

TEST(Server, AnswersHeadWithoutBody) {
  const auto server = started(plain_options(), echo);
  RawClient client(server->ports()[0]);
  client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n" + get("/b"));
  const auto head = client.read_reply(false);
  EXPECT_NE(head.head.find("Content-Length: 8\r\n"), std::string::npos) << head.head;
  EXPECT_EQ(client.read_reply().body, "GET /b\n");
}

TEST(Server, ClosesForOldClientsAndThoseWhoAsk) {
  const auto server = started(plain_options(), echo);
  RawClient old(server->ports()[0]);
  old.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.read_reply().status, 200);
  EXPECT_TRUE(old.at_end());
  RawClient asks(server->ports()[0]);
  asks.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_NE(asks.read_reply().head.find("Connection: close\r\n"), std::string::npos);
  EXPECT_TRUE(asks.at_end());
}

TEST(Server, PacksWhatIsLargeForThoseWhoAcceptIt) {
  const std::string large(300u << 10, 'a');
  const auto server = started(plain_options(), [&](const Request& request) {
    return text_response(request.target == "/large" ? large : large.substr(0, 100u << 10));
  });
  RawClient client(server->ports()[0]);
  const std::string accepts = " HTTP/1.1\r\nHost: x\r\nAccept-Encoding: deflate, gzip\r\n\r\n";
  client.send("GET /large" + accepts);
  const auto packed = client.read_reply();
  EXPECT_NE(packed.head.find("Content-Encoding: gzip\r\n"), std::string::npos);
  z_stream stream{};
  ASSERT_EQ(inflateInit2(&stream, 31), Z_OK);
  std::string plain(large.size() + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.body.data()));
  stream.avail_in = static_cast<uInt>(packed.body.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  EXPECT_TRUE(plain == large);
  client.send("GET /small" + accepts);
  EXPECT_EQ(client.read_reply().body.size(), 100u << 10);
  client.send(get("/large"));
  EXPECT_EQ(client.read_reply().body.size(), large.size());
}

TEST(Server, KeepsTheLinesOfAHeadWhole) {
  const auto server = started(plain_options(), [](const Request&) {
    return Response{.status = 200, .headers = {{"X-A", "b\r\nInjected: yes"}}, .body = {}};
  });
  RawClient client(server->ports()[0]);
  client.send(get("/"));
  EXPECT_NE(client.read_reply().head.find("X-A: bInjected: yes\r\n"), std::string::npos);
}

TEST(Server, ListensAtAUnixSocketOfItsUser) {
  const testing::TempDir folder;
  // Longer than the address of a unix socket may be.
  const auto deep = folder.path() / std::string(60, 'a') / std::string(60, 'b');
  std::filesystem::create_directories(deep);
  Options options;
  options.listeners = {Listener{.unix_path = (deep / "api.sock").string()}};
  std::atomic<int> uid = -1;
  auto answer = [&](const Request& request) {
    uid = request.peer->unix_peer ? static_cast<int>(request.peer->unix_peer->uid) : -1;
    return text_response(request.peer->address);
  };
  auto server = started(options, answer);
  struct stat there {};
  ASSERT_EQ(::stat((deep / "api.sock").c_str(), &there), 0);
  EXPECT_EQ(there.st_mode & 0777, 0600u);
  EXPECT_FALSE(Server::start(options, std::make_shared<TestHandler>(answer)));
  const auto link = folder.path() / "l";
  std::filesystem::create_directory_symlink(deep, link);
  RawClient client((link / "api.sock").string());
  client.send(get("/"));
  EXPECT_EQ(client.read_reply().body, "unix");
  EXPECT_EQ(uid, static_cast<int>(::getuid()));
  server.reset();
  EXPECT_FALSE(std::filesystem::exists(deep / "api.sock"));
}

TEST(Server, StartsWhereASocketWasLeftOver) {
  const testing::TempDir folder;
  const std::string path = (folder.path() / "s").string();
  {
    const Fd left(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    ASSERT_EQ(::bind(left.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  Options options;
  options.listeners = {Listener{.unix_path = path}};
  const auto server = started(options, echo);
  RawClient client(path);
  client.send(get("/"));
  EXPECT_EQ(client.read_reply().status, 200);
}

TEST(Server, RefusesAddressesItCannotHave) {
  const auto server = started(plain_options(), echo);
  Options taken = plain_options();
  taken.listeners[0].port = server->ports()[0];
  const auto handler = std::make_shared<TestHandler>(echo);
  const auto refused = Server::start(taken, handler);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kUnavailable);
  EXPECT_NE(refused.error().text().find("Address already in use"), std::string::npos);
  Options nonsense = plain_options();
  nonsense.listeners[0].host = "256.1.1.1";
  EXPECT_FALSE(Server::start(nonsense, handler));
  EXPECT_FALSE(Server::start(Options{}, handler)) << "TLS without a certificate";
}

TEST(Server, StopsInGoodManners) {
  std::latch asked(1);
  std::promise<void> go;
  auto gone = go.get_future().share();
  auto server = started(plain_options(), [&](const Request& request) {
    asked.count_down();
    gone.wait();
    EXPECT_TRUE(request.stopping.stop_requested());
    return text_response("done");
  });
  RawClient idle(server->ports()[0]), busy(server->ports()[0]);
  busy.send(get("/"));
  asked.wait();
  std::thread stopper([&] { server->stop(kPatience); });
  EXPECT_TRUE(idle.at_end());
  EXPECT_FALSE(RawClient(server->ports()[0]).connected());
  go.set_value();
  EXPECT_EQ(busy.read_reply().body, "done");
  EXPECT_TRUE(busy.at_end());
  busy.close();
  stopper.join();
  EXPECT_EQ(server->counts().connections, 0);
}

TEST(Server, StopsAtOnceWhenItHasTo) {
  std::latch asked(1);
  auto server = started(plain_options(), [&](const Request& request) {
    Monitor<bool> stopped(false);
    const std::stop_callback told(request.stopping,
                                  [&] { stopped.change([](bool& is) { is = true; }); });
    asked.count_down();
    stopped.wait([](bool is) { return is; }, [](bool) {});
    return text_response("late");
  });
  RawClient busy(server->ports()[0]);
  busy.send(get("/"));
  asked.wait();
  server->stop(milliseconds(0));
  busy.read_all();  // possibly the answer, if it comes in time; then the end
  server.reset();
}

}  // namespace
}  // namespace portico::http
