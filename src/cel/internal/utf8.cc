#include "cel/utf8.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace portico::cel {

char32_t next_code_point(std::string_view text, std::size_t& at) {
  const Utf8Character next = utf8_front(text.substr(at));
  at += next.size;
  return next.valid ? next.code : 0xfffd;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Utf8Character next = utf8_front(text);
    if (!next.valid || next.code < ' ' || next.code == 0x7f) {
      if (next.code == '\n' || next.code == '\t')
        out += next.code == '\n' ? "\\n" : "\\t";
      else
        out += fmt::format("\\x{:02x}", next.code);
    } else {
      out += text.substr(0, next.size);
    }
    text.remove_prefix(next.size);
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
