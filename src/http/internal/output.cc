#include "http/internal/output.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <iterator>
#include <utility>

#include "http/internal/give_back.h"

namespace portico::http::internal {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::size_t kKeptPieces = 8;

bool is_framing(std::string_view name) {
  return same_name(name, "Content-Length") || same_name(name, "Transfer-Encoding") ||
         same_name(name, "Connection") || same_name(name, "Date");
}

void append_safe(std::string& out, std::string_view text) {
  for (const char c : text)
    if ((static_cast<unsigned char>(c) >= ' ' || c == '\t') && c != 0x7f) out += c;
}

}  // namespace

std::size_t Output::Piece::size() const {
  return head.size() + (chunk ? chunk->size() : 0) + (framed ? kLineEnd.size() : 0);
}

void Output::add(std::string bytes) {
  if (bytes.empty()) return;
  bytes_ += bytes.size();
  pieces_.push_back({std::move(bytes), nullptr, false});
}

void Output::add(Chunk chunk, bool framed) {
  if (chunk->empty()) return;
  Piece piece{framed ? fmt::format("{:x}\r\n", chunk->size()) : std::string(), std::move(chunk),
              framed};
  bytes_ += piece.size();
  pieces_.push_back(std::move(piece));
}

std::span<const std::string_view> Output::front(Pieces& pieces) const {
  std::size_t count = 0, skip = offset_;
  const auto put = [&](std::string_view part) {
    const std::size_t left_out = std::min(skip, part.size());
    skip -= left_out;
    part.remove_prefix(left_out);
    if (!part.empty()) pieces[count++] = part;
  };
  for (std::size_t i = first_; i < pieces_.size() && count + 3 <= kPieces; ++i) {
    put(pieces_[i].head);
    if (pieces_[i].chunk) put(*pieces_[i].chunk);
    if (pieces_[i].framed) put(kLineEnd);
  }
  return {pieces.data(), count};
}

void Output::sent(std::size_t bytes) {
  bytes_ -= bytes;
  offset_ += bytes;
  while (first_ < pieces_.size() && offset_ >= pieces_[first_].size()) {
    offset_ -= pieces_[first_].size();
    pieces_[first_++] = {};  // this may be the last reference to the chunk
  }
  if (first_ < pieces_.size()) {
    // Sent pieces must not pile up in a queue that never becomes empty.
    if (first_ > kKeptPieces && first_ * 2 > pieces_.size()) {
      pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    return;
  }
  clear();
}

void Output::clear() {
  if (pieces_.capacity() > kKeptPieces) {
    give_back(pieces_);
  } else {
    pieces_.clear();
  }
  first_ = offset_ = bytes_ = 0;
}

void Output::give_back_all() {
  give_back(pieces_);
  clear();
}

std::string response_head(const Response& response, const HeadFacts& facts) {
  std::string out;
  out.reserve(256);
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", response.status,
                 reason_phrase(response.status));
  for (const HeaderField& field : response.headers) {
    if (is_framing(field.name)) continue;
    append_safe(out, field.name);
    out += ": ";
    append_safe(out, field.value);
    out += kLineEnd;
  }
  out.append("Date: ").append(facts.date).append(kLineEnd);
  if (facts.chunked) {
    out += "Transfer-Encoding: chunked\r\n";
  } else if (facts.has_length) {
    fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", facts.length);
  }
  if (!facts.keep_alive) {
    out += "Connection: close\r\n";
  } else if (facts.http_10) {
    out += "Connection: keep-alive\r\n";
  }
  out += kLineEnd;
  return out;
}

std::string http_date(std::int64_t unix_seconds) {
  constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t time = unix_seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                     kDays[static_cast<std::size_t>(parts.tm_wday)], parts.tm_mday,
                     kMonths[static_cast<std::size_t>(parts.tm_mon)], parts.tm_year + 1900,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string gzip(std::string_view bytes) {
  constexpr int kGzipWindow = 15 + 16;
  constexpr int kMemory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    return {};
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int done = deflate(&stream, Z_FINISH);
  out.resize(done == Z_STREAM_END ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

}  // namespace portico::http::internal
