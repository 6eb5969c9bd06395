// Bytes of a connection to requests. No socket, no thread.
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
/// Boost.Beast reads the grammar; what Beast lets pass and another server might read in another way
/// is refused here before or after.
class RequestParser {
 public:
  enum class State {
    kHead,  // of feed(): the head is complete
    kMore,  // all bytes are used up
    kDone,  // the request is complete
    kBad,   // it is refused: status(), why()
  };
  struct Fed {
    std::size_t used = 0;  // of the bytes; what is not must be fed again, with more behind it
    State state = State::kMore;
  };

  explicit RequestParser(const ParserLimits& limits);
  ~RequestParser();

  Fed feed(std::string_view bytes);

  /// After kHead. kDone where it has no body.
  State begin_body(std::size_t most_bytes);

  /// The head from kHead on, the body as well after kDone; what is known of it after kBad. After
  /// kHead it has to be given back before begin_body().
  Request take();
  void give_back(Request request);
  std::size_t body_bytes() const;
  bool keeps_alive() const;       // the client wants the connection to stay
  bool expects_continue() const;  // waits for "100 Continue"
  bool has_chunks() const;        // the client reads chunked responses: HTTP/1.1
  bool began() const;             // anything but blank lines has been fed
  /// What Content-Length says; 0 where the length is not known.
  std::size_t announced_bytes() const;

  int status() const;
  const std::string& why() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What is wrong with whole lines of a head, looked at from a byte on: "" where they end with CR
/// LF, have no control characters but tabs, and no field goes on in a second line.
std::string_view wrong_in_lines(std::string_view head, std::size_t from);

}  // namespace portico::http::internal
