// Escapes of string and bytes literals.
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "cel/internal/lexer.h"
#include "cel/utf8.h"

namespace portico::cel::internal {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

// Reads `count` digits of `base` at `at`; false if there are fewer.
bool read_number(std::string_view text, std::size_t at, std::size_t count, int base,
                 char32_t& number) {
  if (at + count > text.size()) return false;
  number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int digit = digit_of(text[at + i]);
    if (digit >= base) return false;
    number = number * static_cast<char32_t>(base) + static_cast<char32_t>(digit);
  }
  return true;
}

char simple_escape(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    case '\\':
    case '?':
    case '"':
    case '\'':
    case '`':
      return c;
    default:
      return '\0';
  }
}

// Decodes the escape whose backslash is at `at` and moves `at` after it.
const char* read_escape(std::string_view text, std::size_t& at, bool bytes, std::string& out) {
  const char c = at + 1 < text.size() ? text[at + 1] : '\0';
  if (const char simple = simple_escape(c); simple != '\0') {
    out += simple;
    at += 2;
    return nullptr;
  }
  std::size_t from = at + 2;
  std::size_t count = 2;
  int base = 16;
  if (c >= '0' && c <= '3') {
    from = at + 1;
    count = 3;
    base = 8;
  } else if (c == 'u' || c == 'U') {
    if (bytes) return "bytes literals take no \\u and \\U escapes";
    count = c == 'u' ? 4 : 8;
  } else if (c != 'x' && c != 'X') {
    return "unknown escape sequence";
  }
  char32_t code = 0;
  if (!read_number(text, from, count, base, code)) return "too few digits in escape sequence";
  if (bytes) {
    out += static_cast<char>(code);
  } else if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
    return "escape sequence is no Unicode code point";
  } else {
    append_utf8(out, code);
  }
  at = from + count;
  return nullptr;
}

}  // namespace

bool unquote(std::string_view literal, bool bytes, std::string& out) {
  bool raw = false;
  while (literal.front() != '"' && literal.front() != '\'') {
    raw = raw || literal.front() == 'r' || literal.front() == 'R';
    literal.remove_prefix(1);
  }
  const char quote = literal.front();
  const bool triple = literal.size() >= 6 && literal[1] == quote && literal[2] == quote;
  const std::size_t marks = triple ? 3 : 1;
  const std::string_view body = literal.substr(marks, literal.size() - 2 * marks);
  out.clear();
  out.reserve(body.size());
  for (std::size_t at = 0; at < body.size();) {
    if (body[at] == '\\' && !raw) {
      if (const char* error = read_escape(body, at, bytes, out); error != nullptr) {
        out = error;
        return false;
      }
    } else if (body[at] == '\r') {
      // A line break in a literal is '\n', whatever the text's own convention.
      out += '\n';
      at += at + 1 < body.size() && body[at + 1] == '\n' ? 2 : 1;
    } else {
      out += body[at++];
    }
  }
  return true;
}

}  // namespace portico::cel::internal
