#include "starlark_lib/internal/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "starlark_syntax/utf8.h"

namespace portico::starlark_lib {

using starlark::append;
using starlark::CodePoint;
using starlark::decode;
using starlark::Decoded;
using starlark::kReplacement;

namespace {

bool is_plain(char c) { return c >= 0x20 && static_cast<unsigned char>(c) < 0x80; }

void append_escaped(std::string& text, CodePoint code) {
  switch (code) {
    case '"':
    case '\\':
      text += '\\';
      text += static_cast<char>(code);
      return;
    case '\b':
      text += "\\b";
      return;
    case '\f':
      text += "\\f";
      return;
    case '\n':
      text += "\\n";
      return;
    case '\r':
      text += "\\r";
      return;
    case '\t':
      text += "\\t";
      return;
    default:
      break;
  }
  const bool of_html = code == '<' || code == '>' || code == '&';
  if (code < 0x20 || of_html || code == 0x2028 || code == 0x2029)
    text += fmt::format("\\u{:04x}", code);
  else
    append(text, code);
}

/// Four hexadecimal digits.
Result<CodePoint> unit(std::string_view text) {
  CodePoint code = 0;
  const char* end = text.data() + 4;
  if (text.size() < 4 || std::from_chars(text.data(), end, code, 16).ptr != end)
    return invalid("invalid character in \\u hexadecimal character escape");
  return code;
}

}  // namespace

std::string quoted_json(std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(), is_plain);
  std::string quoted = "\"";
  while (!text.empty()) {
    const Decoded next = decode(text);
    text.remove_prefix(next.size);
    if (next.code == kReplacement && next.size == 1)
      quoted += "\\ufffd";
    else if (plain && next.code != '"' && next.code != '\\')
      quoted += static_cast<char>(next.code);
    else
      append_escaped(quoted, next.code);
  }
  return quoted + '"';
}

Result<std::string> unquoted_json(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    if (text[0] != '\\') {
      const Decoded next = decode(text);
      if (next.code < 0x20)
        return invalid("invalid character {} in string literal", quoted_char(text));
      append(result, next.code);
      text.remove_prefix(next.size);
      continue;
    }
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char name = text.size() > 1 ? text[1] : '\0';
    text.remove_prefix(std::min<std::size_t>(2, text.size()));
    if (name == 'u') {
      PORTICO_TRY(CodePoint code, unit(text));
      text.remove_prefix(4);
      if (code >= 0xD800 && code < 0xDC00 && text.starts_with("\\u")) {
        PORTICO_TRY(const CodePoint low, unit(text.substr(2)));
        if (low >= 0xDC00 && low < 0xE000) {
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
          text.remove_prefix(6);
        }
      }
      append(result, code);
    } else if (const std::size_t at = kNames.find(name); at != std::string_view::npos) {
      result += kMeanings[at];
    } else {
      return invalid("invalid character {} in string escape code", quoted_char({&name, 1}));
    }
  }
  return result;
}

std::string quoted_char(std::string_view text) {
  const Decoded first = decode(text);
  if (first.code == '\'' || first.code == '\\') return fmt::format("'\\{}'", text[0]);
  if (first.code == '\n') return "'\\n'";
  if (first.code < 0x20 || (first.code == kReplacement && first.size == 1))
    return fmt::format("'\\x{:02x}'", static_cast<unsigned char>(text[0]));
  return fmt::format("'{}'", text.substr(0, first.size));
}

}  // namespace portico::starlark_lib
