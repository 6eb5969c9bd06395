// Parses the bytes of a connection into requests. Uses no sockets or threads.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "http/message.h"

namespace portico::http::internal {

struct ParserLimits {
  std::size_t header_bytes = 64u << 10;
  std::size_t header_count = 128;
  std::size_t target_bytes = 16u << 10;
};

/// Reads one request at a time: feed() until kHead, begin_body(), feed() until kDone, take().
/// Boost.Beast parses the grammar; this class refuses what Beast accepts but another server might
/// read differently.
class RequestParser {
 public:
  enum class State {
    kHead,  // from feed(): the head is complete
    kMore,  // more bytes are needed
    kDone,  // the request is complete
    kBad,   // refused: see status() and why()
  };
  struct Fed {
    std::size_t used = 0;  // consumed bytes; feed the rest again, followed by more
    State state = State::kMore;
  };

  explicit RequestParser(const ParserLimits& limits);
  ~RequestParser();

  Fed feed(std::string_view bytes);

  /// Call after kHead. Returns kDone if there is no body.
  State begin_body(std::size_t most_bytes);

  /// After kHead the head, after kDone also the body, after kBad what is known. After kHead,
  /// give_back() must follow before begin_body().
  Request take();
  void give_back(Request request);
  std::size_t body_bytes() const;
  bool keeps_alive() const;       // the client wants to keep the connection
  bool expects_continue() const;  // the client waits for "100 Continue"
  bool has_chunks() const;        // the client can read chunked responses: HTTP/1.1
  bool began() const;             // anything but blank lines was fed
  /// The Content-Length; 0 if the length is not known.
  std::size_t announced_bytes() const;

  int status() const;
  const std::string& why() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Checks complete lines of a head from offset `from` on. Returns what is wrong, or "" if the lines
/// end with CR LF, contain no control characters except tabs, and no field is folded.
std::string_view wrong_in_lines(std::string_view head, std::size_t from);

}  // namespace portico::http::internal
