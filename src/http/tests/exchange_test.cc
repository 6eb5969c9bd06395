// Memory kept by an idle connection: there may be ten thousand of them.
#include "http/internal/exchange.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>

#include "http/tests/fixture.h"

namespace portico::http::internal {
namespace {

using What = Step::What;

constexpr std::size_t kLittle = 1u << 10;

class ExchangeTest : public ::testing::Test {
 protected:
  ExchangeTest() : exchange_(transport(), settings_, body_, unsent_) {}

  static Instant now() { return std::chrono::steady_clock::now(); }

  void send(std::string_view bytes) {
    ASSERT_EQ(::send(client_.get(), bytes.data(), bytes.size(), 0),
              static_cast<ssize_t>(bytes.size()));
  }

  /// Sends `bytes` in parts that fit into the socket; returns the resulting step, with the body
  /// read.
  Step request(std::string_view bytes) {
    Step step;
    while (step.what != What::kRequest) {
      const std::string_view part = bytes.substr(0, 8u << 10);
      bytes.remove_prefix(part.size());
      send(part);
      step = exchange_.read(now());
      if (step.what == What::kHead)
        step = exchange_.begin_body(std::move(step.request), 1u << 20, now());
    }
    return step;
  }

  void read_all() {
    std::array<char, 4096> bytes;
    while (::recv(client_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT) > 0) {
    }
  }

  Fd client_;
  ExchangeSettings settings_{.parser = {}, .times = {}, .stream_bytes = 16u << 20};
  Budget body_{16u << 20}, unsent_{16u << 20};
  Exchange exchange_;

 private:
  Transport transport() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) std::abort();
    client_ = Fd(ends[0]);
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
    return Transport(Fd(ends[1]), nullptr);
  }
};

TEST_F(ExchangeTest, KeepsLittleOfALargeRequest) {
  const Step step = request("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" +
                            std::string(200'000, 'x'));
  EXPECT_EQ(step.request.body.size(), 200'000u);
  exchange_.answer(step.serial, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", false, now());
  EXPECT_TRUE(exchange_.is_idle());
  EXPECT_LE(exchange_.kept(), kLittle);
}

TEST_F(ExchangeTest, KeepsNothingOfTheRequestOfAStream) {
  const Step step =
      request("GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(500, 'a') + "\r\n\r\n");
  ASSERT_TRUE(exchange_.begin_stream(step.serial, "HTTP/1.1 200 OK\r\n\r\n", false));
  exchange_.write(now());
  EXPECT_LE(exchange_.kept(), 100u);
}

TEST_F(ExchangeTest, KeepsLittleOfAStreamThatWasSlow) {
  const Step step = request("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  ASSERT_TRUE(exchange_.begin_stream(step.serial, "HTTP/1.1 200 OK\r\n\r\n", false));
  for (int i = 0; i < 10'000; ++i) exchange_.push(std::make_shared<const std::string>(100, 'e'));
  exchange_.write(now());
  ASSERT_GT(exchange_.waiting(), 0u) << "more than the socket holds";
  while (exchange_.waiting() > 0) {
    read_all();
    exchange_.write(now());
  }
  EXPECT_LE(exchange_.kept(), kLittle);
}

}  // namespace
}  // namespace portico::http::internal
