#include "json/internal/text_writer.h"

#include <charconv>

namespace portico::json {
namespace {

constexpr std::size_t kLongestNumber = 20;  // -9223372036854775808, 18446744073709551615

bool is_plain(unsigned char c) { return c >= 0x20 && c != '"' && c != '\\'; }

/// Whether all eight bytes are plain. Subtracting n from a byte less than n sets its high bit,
/// which it did not have before.
bool all_plain(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  const auto has_zero = [](std::uint64_t x) { return (x - kOnes) & ~x & kHigh; };
  const std::uint64_t below_blank = (bytes - kOnes * 0x20) & ~bytes & kHigh;
  return (below_blank | has_zero(bytes ^ (kOnes * '"')) | has_zero(bytes ^ (kOnes * '\\'))) == 0;
}

/// The number of bytes before the first one that is not plain.
std::size_t plain_prefix(std::string_view text) {
  std::size_t i = 0;
  for (std::uint64_t bytes; i + sizeof bytes <= text.size(); i += sizeof bytes) {
    std::memcpy(&bytes, text.data() + i, sizeof bytes);
    if (!all_plain(bytes)) break;
  }
  while (i < text.size() && is_plain(static_cast<unsigned char>(text[i]))) ++i;
  return i;
}

}  // namespace

// The string doubles its capacity by itself; all of it is used.
void TextWriter::grow(std::size_t bytes) {
  const std::size_t written = size();
  out_.resize(written + bytes);
  out_.resize(out_.capacity());
  at_ = out_.data() + written;
  end_ = out_.data() + out_.size();
}

void TextWriter::put(std::int64_t number) {
  char* const begin = room(kLongestNumber);
  at_ = std::to_chars(begin, begin + kLongestNumber, number).ptr;
}

void TextWriter::put(std::uint64_t number) {
  char* const begin = room(kLongestNumber);
  at_ = std::to_chars(begin, begin + kLongestNumber, number).ptr;
}

void TextWriter::quoted(std::string_view text) {
  room(text.size() + 2);
  *at_++ = '"';
  for (;;) {
    const std::size_t plain = plain_prefix(text);
    put(text.substr(0, plain));
    if (plain == text.size()) break;
    escaped(static_cast<unsigned char>(text[plain]));
    text.remove_prefix(plain + 1);
  }
  put('"');
}

void TextWriter::escaped(unsigned char c) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"':
      return put("\\\"");
    case '\\':
      return put("\\\\");
    case '\n':
      return put("\\n");
    case '\r':
      return put("\\r");
    case '\t':
      return put("\\t");
    default:
      put("\\u00");
      put(kHex[c >> 4]);
      put(kHex[c & 15]);
  }
}

}  // namespace portico::json
