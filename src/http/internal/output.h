// The output queue of one connection.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace portico::http::internal {

/// Bytes and shared chunks, in order. Not thread-safe.
class Output {
 public:
  static constexpr std::size_t kPieces = 48;
  using Pieces = std::array<std::string_view, kPieces>;

  void add(std::string bytes);
  /// `framed`: with chunked framing; an empty chunk is dropped.
  void add(Chunk chunk, bool framed);

  std::size_t bytes() const { return bytes_; }
  bool empty() const { return bytes_ == 0; }
  /// The first queued pieces, valid until the next non-const call.
  std::span<const std::string_view> front(Pieces& pieces) const;
  void sent(std::size_t bytes);
  void clear();
  /// Like clear(), but also frees the memory; for the last use.
  void give_back_all();
  /// Memory kept by the queue in bytes, used or not, excluding the content of the pieces.
  std::size_t kept() const { return pieces_.capacity() * sizeof(Piece); }

 private:
  struct Piece {
    std::string head;
    Chunk chunk;  // may be null
    bool framed = false;
    std::size_t size() const;
  };
  std::vector<Piece> pieces_;
  std::size_t first_ = 0;   // index in pieces_; those before it have been sent
  std::size_t offset_ = 0;  // sent bytes of the first piece
  std::size_t bytes_ = 0;
};

/// The head of a response as sent. Characters that would break its lines are dropped from names and
/// values.
struct HeadFacts {
  bool keep_alive = true;
  bool http_10 = false;
  bool chunked = false;    // Transfer-Encoding instead of Content-Length
  bool has_length = true;  // false for 1xx, 204, 304 and a stream that ends with the connection
  std::size_t length = 0;
  std::string_view date = {};  // value of the Date field
};
std::string response_head(const Response& response, const HeadFacts& facts);

/// Formats a Date field: "Sun, 06 Nov 1994 08:49:37 GMT".
std::string http_date(std::int64_t unix_seconds);

/// `bytes` in gzip format, compressed fast; "" if out of memory.
std::string gzip(std::string_view bytes);

}  // namespace portico::http::internal
