// Go-style quoting, for error messages and format().
#include <fmt/format.h>

#include "cel/utf8.h"
#include "cel_lib/internal/declare.h"

namespace portico::cel_lib {
namespace {

const char* short_escape(char32_t code) {
  switch (code) {
    case '\a':
      return "\\a";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\v':
      return "\\v";
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    default:
      return nullptr;
  }
}

// Spaces other than ' ', and control and format characters.
bool is_hidden(char32_t code) {
  return (code >= 0x7f && code <= 0xa0) || code == 0xad || (code >= 0x2000 && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202f) || (code >= 0x205f && code <= 0x206f) ||
         code == 0x3000 || code == 0xfeff || (code >= 0xe000 && code <= 0xf8ff);
}

}  // namespace

std::string go_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t code = cel::next_code_point(text, at);
    if (const char* escape = short_escape(code); escape != nullptr) {
      out += escape;
    } else if (code == 0xfffd && at == begin + 1) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[begin]));
    } else if (code < 0x20 || code == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(code));
    } else if (is_hidden(code)) {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
    } else {
      out += text.substr(begin, at - begin);
    }
  }
  return out + '"';
}

}  // namespace portico::cel_lib
