// Streams: writes arrive, slow readers are closed, and writers are notified.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

#include "base/monitor.h"
#include "http/memory_stream.h"
#include "http/tests/fixture.h"

namespace portico::http {
namespace {

using std::chrono::steady_clock;

constexpr std::string_view kGet = "GET /watch HTTP/1.1\r\nHost: x\r\n\r\n";

Chunk chunk(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

/// A handler whose streams are held by the test.
struct Watches {
  struct State {
    std::vector<std::shared_ptr<Stream>> streams;
    int closed = 0;
  };
  Monitor<State> state;

  Answer answer(const Request&) {
    return Streaming{.head = text_response(""), .start = [this](std::shared_ptr<Stream> stream) {
                       stream->on_close([this] { state.change([](State& s) { ++s.closed; }); });
                       state.change([&](State& s) { s.streams.push_back(std::move(stream)); });
                     }};
  }
  std::shared_ptr<Stream> wait_for(std::size_t count) {
    return state.wait([&](const State& s) { return s.streams.size() >= count; },
                      [&](State& s) { return s.streams[count - 1]; });
  }
  bool wait_for_closed(int count) {
    return state.wait_until(
        steady_clock::now() + kPatience, [&](const State& s) { return s.closed >= count; },
        [&](const State& s) { return s.closed == count; });
  }
};

std::unique_ptr<Server> started(Options options, Watches& watches) {
  return http::started(std::move(options),
                       [&watches](const Request& request) { return watches.answer(request); });
}

TEST(Stream, SendsEachChunkAndGoesOn) {
  Watches watches;
  const auto server = started(plain_options(), watches);
  RawClient client(server->ports()[0]);
  client.send(kGet);
  const auto stream = watches.wait_for(1);
  EXPECT_NE(client.read_to("\r\n\r\n").find("Transfer-Encoding: chunked\r\n"), std::string::npos);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(stream->write(chunk("event " + std::to_string(i))));
    EXPECT_EQ(client.read_chunk(), "event " + std::to_string(i));
  }
  EXPECT_EQ(server->counts().shares[0].streams, 1);
  stream->end();
  EXPECT_EQ(client.read_chunk(), "");
  EXPECT_TRUE(watches.wait_for_closed(1));
  EXPECT_FALSE(stream->write(chunk("late")));
  EXPECT_EQ(server->counts().shares[0].streams, 0);
  // The connection is kept: it carries a second stream, which the first stream's writer cannot
  // reach.
  client.send(kGet);
  const auto second = watches.wait_for(2);
  EXPECT_FALSE(stream->write(chunk("of the first")));
  second->write(chunk("of the second"));
  second->end();
  EXPECT_EQ(client.read_reply().body, "of the second");
}

TEST(Stream, EndsWithTheConnectionForOldClients) {
  Watches watches;
  const auto server = started(plain_options(), watches);
  RawClient client(server->ports()[0]);
  client.send("GET / HTTP/1.0\r\n\r\n");
  const auto stream = watches.wait_for(1);
  stream->write(chunk("one"));
  stream->write(chunk("two"));
  stream->end();
  EXPECT_TRUE(client.read_all().ends_with("\r\n\r\nonetwo"));
}

TEST(Stream, TellsThatItsReaderIsGone) {
  Watches watches;
  const auto server = started(plain_options(), watches);
  auto client = std::make_unique<RawClient>(server->ports()[0]);
  client->send(kGet);
  const auto stream = watches.wait_for(1);
  client.reset();
  EXPECT_TRUE(watches.wait_for_closed(1));
  EXPECT_FALSE(stream->write(chunk("x")));
  bool told = false;
  stream->on_close([&] { told = true; });
  EXPECT_TRUE(told);
}

TEST(Stream, ClosesASlowReaderAndServesTheOthers) {
  Watches watches;
  Options options = plain_options();
  options.limits.stream_bytes = 1u << 20;
  const auto server = started(options, watches);
  RawClient slow(server->ports()[0]), quick(server->ports()[0]);
  slow.send(kGet);
  const auto to_slow = watches.wait_for(1);
  quick.send(kGet);
  const auto to_quick = watches.wait_for(2);
  const Chunk event = chunk(std::string(64u << 10, 'e'));
  quick.read_to("\r\n\r\n");
  int written = 0;
  while (to_slow->write(event)) {
    ++written;
    ASSERT_TRUE(to_quick->write(event));
    ASSERT_EQ(quick.read_chunk().size(), event->size());
  }
  EXPECT_GE(written, 15);
  EXPECT_TRUE(watches.wait_for_closed(1));
  EXPECT_TRUE(to_quick->write(event));
  EXPECT_EQ(quick.read_chunk().size(), event->size());
  slow.read_all();  // reads to the end
}

TEST(Stream, ClosesAReaderThatTakesNothing) {
  Watches watches;
  Options options = plain_options();
  options.times.stalled = std::chrono::milliseconds(50);
  const auto server = started(options, watches);
  RawClient client(server->ports()[0]);
  client.send(kGet);
  const auto stream = watches.wait_for(1);
  stream->write(chunk(std::string(15u << 20, 'e')));  // more than socket buffers hold
  EXPECT_TRUE(watches.wait_for_closed(1));
}

TEST(Stream, HasRoomWhenAllIsSent) {
  // A producer that writes as fast as the reader takes it.
  int left = 2000;
  const auto server = http::started(plain_options(), [&](const Request&) {
    return Streaming{.head = text_response(""),
                     .start = [&](const std::shared_ptr<Stream>& stream) {
                       stream->on_room([&left, stream] {
                         while (left > 0 && stream->waiting() < (256u << 10)) {
                           stream->write(chunk(std::string(16u << 10, 'x')));
                           --left;
                         }
                         if (left == 0) stream->end();
                       });
                       stream->write(chunk("begin"));
                     }};
  });
  RawClient client(server->ports()[0]);
  client.send(kGet);
  EXPECT_EQ(client.read_reply().body.size(), 5 + 2000u * (16u << 10));
}

TEST(Stream, IsEndedByAStop) {
  Watches watches;
  const auto server = started(plain_options(), watches);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(std::make_unique<RawClient>(server->ports()[0]));
    clients.back()->send(kGet);
  }
  watches.wait_for(50)->write(chunk("last words"));
  std::atomic<bool> stop_writing = false;
  std::thread writer([&] {
    const Chunk event = chunk("event");
    while (!stop_writing)
      for (std::size_t i = 1; i <= 50; ++i) watches.wait_for(i)->write(event);
  });
  std::thread stopper([&] { server->stop(kPatience); });
  for (const auto& client : clients) {
    EXPECT_TRUE(client->read_all().ends_with("\r\n0\r\n\r\n"));
    client->close();
  }
  stopper.join();
  stop_writing = true;
  writer.join();
  EXPECT_TRUE(watches.wait_for_closed(50));
}

TEST(Stream, IsWrittenToByManyThreads) {
  Watches watches;
  const auto server = started(plain_options(), watches);
  RawClient client(server->ports()[0]);
  client.send(kGet);
  const auto stream = watches.wait_for(1);
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&] {
      for (int n = 0; n < 500; ++n) stream->write(chunk("0123456789"));
    });
  std::thread ender([&] {
    for (std::thread& writer : writers) writer.join();
    stream->end();
  });
  EXPECT_EQ(client.read_reply().body.size(), 4u * 500 * 10);
  ender.join();
}

TEST(Stream, HasAShareOfItsOwn) {
  Watches watches;
  Options options = plain_options();
  options.shares = {Share{.name = "watches", .running = 2, .waiting = 5, .streams = 1}};
  const auto server = started(options, watches);
  RawClient first(server->ports()[0]), second(server->ports()[0]);
  first.send(kGet);
  watches.wait_for(1);
  second.send(kGet);
  const auto reply = second.read_reply();
  EXPECT_EQ(reply.status, 429);
  EXPECT_NE(reply.head.find("Retry-After: 1\r\n"), std::string::npos);
  first.close();
  EXPECT_TRUE(watches.wait_for_closed(1));
  second.send(kGet);
  EXPECT_TRUE(watches.wait_for(2)->write(chunk("x")));
}

TEST(MemoryStream, GivesWhatIsWritten) {
  MemoryStream stream(10);
  int closed = 0;
  stream.on_close([&] { ++closed; });
  EXPECT_TRUE(stream.write(chunk("one")));
  EXPECT_TRUE(stream.write(chunk("two")));
  EXPECT_EQ(stream.waiting(), 6u);
  EXPECT_EQ(stream.read(steady_clock::now() + kPatience), "onetwo");
  EXPECT_EQ(stream.read(steady_clock::now()), "");
  EXPECT_FALSE(stream.is_over());
  EXPECT_FALSE(stream.write(chunk("more than ten bytes")));
  EXPECT_TRUE(stream.is_over());
  stream.close();
  EXPECT_EQ(closed, 1);
  stream.on_close([&] { ++closed; });
  EXPECT_EQ(closed, 2);
}

}  // namespace
}  // namespace portico::http
