// Code points in UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace portico::cel {

/// Does not count continuation bytes, so the result is an estimate for invalid UTF-8.
inline std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1u : 0u;
  return count;
}

/// Returns the code point at `at` and moves `at` after it. An invalid byte is U+FFFD, one byte
/// long.
char32_t next_code_point(std::string_view text, std::size_t& at);

/// `text` for a one-line message: control characters and invalid bytes become \n, \t, \x1b, \xff.
std::string printable(std::string_view text);

/// The offset at which the code point number `index` starts; index == count gives text.size().
/// nullopt if the text is shorter.
std::optional<std::size_t> byte_of_code_point(std::string_view text, std::int64_t index);

}  // namespace portico::cel
