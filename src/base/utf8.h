// UTF-8, one character at a time. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace portico {

struct Utf8Character {
  std::uint32_t code = 0;  // the byte itself if it is not valid
  std::size_t size = 1;    // bytes
  bool valid = false;
};

/// The character at the front of `text`, which must not be empty. Overlong forms, surrogates and
/// values beyond U+10FFFF are invalid; the size is then one byte.
Utf8Character utf8_front(std::string_view text);

/// Whether all of `text` is valid UTF-8.
bool is_utf8(std::string_view text);

/// `code` must be at most U+10FFFF; a surrogate is encoded as is, in three bytes.
void append_utf8(std::string& out, std::uint32_t code);

}  // namespace portico
