// Reading and writing UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace portico::starlark {

using CodePoint = std::uint32_t;
constexpr CodePoint kReplacement = 0xFFFD;  // replaces bytes that are not UTF-8
constexpr CodePoint kLastCodePoint = 0x10FFFF;

struct Decoded {
  CodePoint code = kReplacement;
  std::size_t size =
      0;  // bytes; 1 with kReplacement for a byte that begins nothing valid, 0 at the end
};
Decoded decode(std::string_view text);
/// The last code point of `text`.
Decoded decode_last(std::string_view text);
/// Writes a surrogate or an out-of-range code point as kReplacement.
void append(std::string& text, CodePoint code);
std::size_t count_code_points(std::string_view text);
/// Replaces every byte that is not part of valid UTF-8.
std::string valid_utf8(std::string_view text);

}  // namespace portico::starlark
