#include "cel/utf8.h"

#include <fmt/format.h>

namespace portico::cel {
namespace {

// 0 where no valid code point starts at `at`.
std::size_t decode(std::string_view text, std::size_t at, char32_t& out) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    out = lead;
    return 1;
  }
  const std::size_t length = lead >= 0xf0 ? 4 : (lead >= 0xe0 ? 3 : 2);
  if (lead < 0xc2 || lead > 0xf4 || at + length > text.size()) return 0;
  char32_t code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = (code << 6) | (byte(i) & 0x3fu);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
  out = code;
  return length;
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& at) {
  char32_t code = 0xfffd;
  const std::size_t length = decode(text, at, code);
  at += length == 0 ? 1 : length;
  return length == 0 ? 0xfffd : code;
}

bool valid_utf8(std::string_view text) {
  char32_t code = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = decode(text, at, code);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

void append_utf8(std::string& out, char32_t code) {
  const auto put = [&out](char32_t bits) { out += static_cast<char>(bits); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

std::string printable(std::string_view text) {
  std::string out;
  char32_t code = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = decode(text, at, code);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (length == 0 || byte < ' ' || byte == 0x7f) {
      if (byte == '\n' || byte == '\t')
        out += byte == '\n' ? "\\n" : "\\t";
      else
        out += fmt::format("\\x{:02x}", byte);
    } else {
      out += text.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  return out;
}

std::optional<std::size_t> byte_of_code_point(std::string_view text, std::int64_t index) {
  if (index < 0) return std::nullopt;
  std::size_t at = 0;
  for (; index > 0; --index) {
    if (at >= text.size()) return std::nullopt;
    next_code_point(text, at);
  }
  return at;
}

}  // namespace portico::cel
