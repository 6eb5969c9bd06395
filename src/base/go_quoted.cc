#include "base/go_quoted.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace portico {
namespace {

bool is_seen(std::uint32_t code) {
  const auto within = [code](std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
  };
  return code >= 0x20 && !within(0x7f, 0xa0) && code != 0xad && code != 0x61c && code != 0x1680 &&
         code != 0x180e && !within(0x2000, 0x200f) && !within(0x2028, 0x202f) &&
         !within(0x205f, 0x206f) && code != 0x3000 && !within(0xe000, 0xf8ff) && code != 0xfeff &&
         !within(0xfff0, 0xfffb) && (code & 0xfffe) != 0xfffe && code < 0xe0000;
}

// Returns 0 if there is none.
char short_escape(std::uint32_t code) {
  constexpr std::string_view kCodes = "\a\b\f\n\r\t\v\\\"", kLetters = "abfnrtv\\\"";
  const std::size_t at = code < 0x80 ? kCodes.find(static_cast<char>(code)) : kCodes.npos;
  return at == kCodes.npos ? '\0' : kLetters[at];
}

}  // namespace

std::string go_quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const Utf8Character one = utf8_front(text);
    const char letter = short_escape(one.code);
    if (one.valid && letter != '\0')
      (out += '\\') += letter;
    else if (one.valid && is_seen(one.code))
      out += text.substr(0, one.size);
    else if (!one.valid || one.code < 0x80)
      out += fmt::format("\\x{:02x}", one.code);
    else
      out += one.code < 0x10000 ? fmt::format("\\u{:04x}", one.code)
                                : fmt::format("\\U{:08x}", one.code);
    text.remove_prefix(one.size);
  }
  return out + "\"";
}

std::string go_quoted(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += " ";
    out += go_quoted(text);
  }
  return out + "]";
}

}  // namespace portico
