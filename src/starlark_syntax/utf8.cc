#include "starlark_syntax/utf8.h"

#include <algorithm>

namespace portico::starlark {

namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

Decoded decode(std::string_view text) {
  if (text.empty()) return {};
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return {kReplacement, 1};
  CodePoint code = lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(text[i])) return {kReplacement, 1};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  constexpr CodePoint kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < kLeast[size] || code > kLastCodePoint || surrogate) return {kReplacement, 1};
  return {code, size};
}

Decoded decode_last(std::string_view text) {
  for (std::size_t size = std::min<std::size_t>(4, text.size()); size > 0; --size) {
    const Decoded last = decode(text.substr(text.size() - size));
    if (last.size == size) return last;
  }
  return {kReplacement, text.empty() ? std::size_t{0} : 1};
}

void append(std::string& text, CodePoint code) {
  if (code > kLastCodePoint || (code >= 0xD800 && code < 0xE000)) code = kReplacement;
  const auto put = [&text](CodePoint bits) { text += static_cast<char>(bits); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
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
