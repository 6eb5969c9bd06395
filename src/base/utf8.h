// UTF-8, one character at a time. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace portico {

struct Utf8Character {
  std::uint32_t code = 0;  // the byte itself where it is not valid
  std::size_t size = 1;    // bytes
  bool valid = false;
};

/// The character at the front of `text`, which is not empty. Overlong forms, surrogates and what is
/// beyond U+10FFFF are not valid: one byte then.
Utf8Character utf8_front(std::string_view text);

/// Whether all of it is.
bool is_utf8(std::string_view text);

/// `code` is at most U+10FFFF; a surrogate is written as it is, in three bytes.
void append_utf8(std::string& out, std::uint32_t code);

}  // namespace portico
