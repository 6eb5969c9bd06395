#include "base/printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace portico {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t size = 1;
  bool valid = false;
};

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

// The UTF-8 character at the front of `text`, which is not empty.
Character front(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1, true};
  std::size_t size = 0;
  std::uint32_t code = 0, least = 0;
  if ((lead & 0xe0) == 0xc0) size = 2, code = lead & 0x1f, least = 0x80;
  if ((lead & 0xf0) == 0xe0) size = 3, code = lead & 0x0f, least = 0x800;
  if ((lead & 0xf8) == 0xf0) size = 4, code = lead & 0x07, least = 0x10000;
  if (size == 0) return {lead, 1, false};
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(text, i)) return {lead, 1, false};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  }
  if (code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {lead, 1, false};
  return {code, size, true};
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

bool turns_writing(std::uint32_t code) {
  return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

// The length of a sequence that sets a colour, 0 where there is none.
std::size_t colour_at(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  text.remove_prefix(2);
  const auto is = [&text](std::string_view code) { return text.starts_with(code); };
  if (is("0m") || is("1m") || is("2m")) return 4;
  if (text.size() > 2 && text[0] == '3' && text[1] >= '0' && text[1] <= '7' && text[2] == 'm')
    return 5;
  return 0;
}

}  // namespace

std::string printable(std::string_view text, bool colours) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::size_t size = colours ? colour_at(text) : 0;
    if (size > 0) {
      out += text.substr(0, size);
    } else {
      const Character one = front(text);
      size = one.size;
      if (!one.valid) {
        out += fmt::format("\\x{:02x}", one.code);
      } else if (one.code == '\n' || one.code == '\t') {
        out += text.front();
      } else if (is_control(one.code)) {
        out += fmt::format("\\x{:02x}", one.code);
      } else if (turns_writing(one.code)) {
        out += fmt::format("\\u{:04x}", one.code);
      } else {
        out += text.substr(0, size);
      }
    }
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace portico
