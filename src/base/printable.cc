#include "base/printable.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/utf8.h"

namespace portico {
namespace {

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

bool turns_writing(std::uint32_t code) {
  return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

// The length of a color sequence, 0 if there is none.
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
      const Utf8Character one = utf8_front(text);
      size = one.size;
      const bool kept = one.code == '\n' || one.code == '\t';
      if (!one.valid || (is_control(one.code) && !kept)) {
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
