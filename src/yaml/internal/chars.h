// Character classes of YAML 1.2.2 chapter 5, shared by parser, decoder and printer.
#pragma once

#include <cstddef>
#include <string_view>

namespace portico::yaml {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline bool is_break(char c) { return c == '\n' || c == '\r'; }
/// '\0' marks the end of the text, which itself contains none.
inline bool is_space_or_end(char c) { return is_blank(c) || is_break(c) || c == '\0'; }
inline bool is_flow_indicator(char c) {
  return c == ',' || c == '[' || c == ']' || c == '{' || c == '}';
}
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// -1 if `c` is not a hexadecimal digit.
inline int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The offset of the first line break at or after `from`, or the size.
inline std::size_t line_end(std::string_view text, std::size_t from) {
  while (from < text.size() && !is_break(text[from])) ++from;
  return from;
}

/// The offset after the line break at `at`; `at` itself at the end of the text.
inline std::size_t behind_break(std::string_view text, std::size_t at) {
  if (at >= text.size()) return at;
  if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') return at + 2;
  return is_break(text[at]) ? at + 1 : at;
}

/// The number of line breaks that begin in [from, to).
inline std::size_t count_breaks(std::string_view text, std::size_t from, std::size_t to) {
  std::size_t count = 0;
  for (std::size_t at = text.find('\n', from); at < to; at = text.find('\n', at + 1)) ++count;
  for (std::size_t at = text.substr(0, to).find('\r', from); at < to; at = text.find('\r', at + 1))
    if (at + 1 >= text.size() || text[at + 1] != '\n') ++count;
  return count;
}

/// The offset where the line of `at` begins.
inline std::size_t line_begin(std::string_view text, std::size_t at) {
  while (at > 0 && !is_break(text[at - 1])) --at;
  return at;
}

}  // namespace portico::yaml
