// What waits to be written to one connection.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace portico::http::internal {

/// Bytes and shared chunks, in order. Not for several threads at once.
class Output {
 public:
  static constexpr std::size_t kPieces = 48;
  using Pieces = std::array<std::string_view, kPieces>;

  void add(std::string bytes);
  /// With `framed`, as a chunk of the chunked coding; an empty chunk is left out.
  void add(Chunk chunk, bool framed);

  std::size_t bytes() const { return bytes_; }
  bool empty() const { return bytes_ == 0; }
  /// The first of what waits, valid until the next call of any other method.
  std::span<const std::string_view> front(Pieces& pieces) const;
  void sent(std::size_t bytes);
  void clear();
  /// As clear(), for the last time.
  void give_back_all();
  /// Bytes of memory that it keeps, used or not; what the pieces hold is not counted.
  std::size_t kept() const { return pieces_.capacity() * sizeof(Piece); }

 private:
  struct Piece {
    std::string head;
    Chunk chunk;  // may be null
    bool framed = false;
    std::size_t size() const;
  };
  std::vector<Piece> pieces_;
  std::size_t first_ = 0;   // in pieces_: those before it have been sent
  std::size_t offset_ = 0;  // bytes of the first that have been sent
  std::size_t bytes_ = 0;
};

/// The head of a response as it is sent. Whatever would break its lines is left out of names and
/// values.
struct HeadFacts {
  bool keep_alive = true;
  bool http_10 = false;
  bool chunked = false;    // Transfer-Encoding instead of Content-Length
  bool has_length = true;  // neither for 1xx, 204, 304 and a stream that ends with the connection
  std::size_t length = 0;
  std::string_view date = {};  // as in the field Date
};
std::string response_head(const Response& response, const HeadFacts& facts);

/// As in the field Date: "Sun, 06 Nov 1994 08:49:37 GMT".
std::string http_date(std::int64_t unix_seconds);

/// `bytes` as a gzip file, packed fast. "" where there is no memory for it.
std::string gzip(std::string_view bytes);

}  // namespace portico::http::internal
