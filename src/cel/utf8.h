// Code points in UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace portico::cel {

/// Bytes that continue a code point are not counted, so for broken text this is an estimate.
inline std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1u : 0u;
  return count;
}

/// The code point that starts at `at`, and `at` moved behind it; a broken byte is U+FFFD, one byte
/// long.
char32_t next_code_point(std::string_view text, std::size_t& at);

/// `text` for one line of a message: control characters and broken bytes as \n, \t, \x1b, \xff.
std::string printable(std::string_view text);

/// The byte at which the code point number `index` starts; index == count gives text.size().
/// Nothing where the text is shorter.
std::optional<std::size_t> byte_of_code_point(std::string_view text, std::int64_t index);

}  // namespace portico::cel
