// Shared by server tests: a handler built from functions, and a client that sends arbitrary
// bytes.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/fd.h"
#include "http/server.h"

namespace portico::http {

struct TestHandler : Handler {
  explicit TestHandler(std::function<Answer(Request)> f) : answer(std::move(f)) {}
  Answer handle(Request request) override { return answer(std::move(request)); }
  Place place(const Request& head) override { return places ? places(head) : Handler::place(head); }
  std::size_t body_limit(const Request& head) override {
    return limit != 0 ? limit : Handler::body_limit(head);
  }
  std::function<Answer(Request)> answer;
  std::function<Place(const Request&)> places = {};
  std::size_t limit = 0;
};

inline Response text_response(std::string body) {
  return {.status = 200, .headers = {{"Content-Type", "text/plain"}}, .body = std::move(body)};
}

/// Answers with "GET /a?b", the fields as "c: d" lines and the body: what the server parsed.
inline Answer echo(const Request& request) {
  std::string out = request.method + " " + request.target + "\n";
  for (const HeaderField& field : request.headers)
    if (!same_name(field.name, "Host")) out += field.name + ": " + field.value + "\n";
  return text_response(out + request.body);
}

/// Plain HTTP on a free port of 127.0.0.1.
inline Options plain_options() {
  Options options;
  options.listeners = {Listener{.tls = false}};
  return options;
}

inline std::unique_ptr<Server> started(Options options, std::shared_ptr<Handler> handler) {
  auto server = Server::start(std::move(options), std::move(handler));
  if (!server) {
    fprintf(stderr, "%s\n", server.error().text().c_str());
    std::abort();
  }
  return *std::move(server);
}

inline std::unique_ptr<Server> started(Options options, std::function<Answer(Request)> answer) {
  return started(std::move(options), std::make_shared<TestHandler>(std::move(answer)));
}

constexpr std::chrono::seconds kPatience{20};

/// A plain socket client that waits at most kPatience for anything.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  explicit RawClient(const std::string& path)
      : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    connected_ = ::connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }

  bool connected() const { return connected_; }
  int fd() const { return fd_.get(); }
  void close() { fd_.reset(); }
  void half_close() { ::shutdown(fd_.get(), SHUT_WR); }

  /// Returns false if the server has closed the connection.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// Reads until `mark` and returns everything up to and including it; less at the end.
  std::string read_to(std::string_view mark) {
    std::size_t at;
    while ((at = pending_.find(mark)) == std::string::npos)
      if (!read_some()) return std::exchange(pending_, {});
    std::string out = pending_.substr(0, at + mark.size());
    pending_.erase(0, out.size());
    return out;
  }
  std::string read_bytes(std::size_t size) {
    while (pending_.size() < size)
      if (!read_some()) break;
    std::string out = pending_.substr(0, size);
    pending_.erase(0, out.size());
    return out;
  }
  std::string read_all() {
    while (read_some()) {
    }
    return std::exchange(pending_, {});
  }
  bool at_end() { return pending_.empty() && !read_some(); }

  struct Reply {
    int status = 0;
    std::string head, body;
  };
  /// Reads one response with a Content-Length or chunks; status 0 if there is none.
  Reply read_reply(bool has_body = true) {
    Reply reply;
    reply.head = read_to("\r\n\r\n");
    if (!reply.head.starts_with("HTTP/1.1 ")) return reply;
    reply.status = std::atoi(reply.head.c_str() + 9);
    if (!has_body) return reply;
    constexpr std::string_view kLength = "Content-Length: ";
    if (const auto at = reply.head.find(kLength); at != std::string::npos) {
      reply.body = read_bytes(std::strtoull(reply.head.c_str() + at + kLength.size(), nullptr, 10));
    } else if (reply.head.find("chunked") != std::string::npos) {
      for (;;) {
        const std::string chunk = read_chunk();
        if (chunk.empty()) break;
        reply.body += chunk;
      }
    }
    return reply;
  }
  /// Returns "" at the end of the stream.
  std::string read_chunk() {
    const auto size = std::strtoull(read_to("\r\n").c_str(), nullptr, 16);
    std::string chunk = read_bytes(size);
    read_to("\r\n");
    return chunk;
  }

 private:
  bool read_some() {
    pollfd wait{fd_.get(), POLLIN, 0};
    constexpr int kMilliseconds = 1000 * static_cast<int>(kPatience.count());
    if (::poll(&wait, 1, kMilliseconds) <= 0) return false;
    char bytes[16384];
    const auto got = ::recv(fd_.get(), bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    pending_.append(bytes, static_cast<std::size_t>(got));
    return true;
  }

  Fd fd_;
  bool connected_ = false;
  std::string pending_;
};

}  // namespace portico::http
