#include "starlark_syntax/utf8.h"

#include <algorithm>

#include "base/utf8.h"

namespace portico::starlark {

Decoded decode(std::string_view text) {
  if (text.empty()) return {};
  const Utf8Character front = utf8_front(text);
  return {front.valid ? front.code : kReplacement, front.size};
}

Decoded decode_last(std::string_view text) {
  for (std::size_t size = std::min<std::size_t>(4, text.size()); size > 0; --size) {
    const Decoded last = decode(text.substr(text.size() - size));
    if (last.size == size) return last;
  }
  return {kReplacement, text.empty() ? std::size_t{0} : 1};
}

void append(std::string& text, CodePoint code) {
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  append_utf8(text, code > kLastCodePoint || surrogate ? kReplacement : code);
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(decode(text).size);
  return count;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    append(valid, next.code);
    text.remove_prefix(next.size);
  }
  return valid;
}

}  // namespace portico::starlark
