#include "starlark_syntax/quoting.h"

#include <charconv>

#include "starlark_syntax/unicode.h"

namespace portico::starlark {

namespace {

/// Consumes an escape sequence, which begins at the '\' at the front of `rest`.
class Escape {
 public:
  Escape(std::string_view& rest, std::string& text, bool bytes)
      : rest_(rest), text_(text), bytes_(bytes) {}

  Result<Done> take() {
    if (rest_.size() == 1) return invalid("truncated escape sequence \\");
    const char kind = rest_[1];
    if (kind >= '0' && kind <= '7') return take_octal();
    if (kind == 'x') return take_hex();
    if (kind == 'u' || kind == 'U') return take_unicode(kind == 'u' ? 6 : 10);
    constexpr std::string_view kNames = "abfnrtv\\'\"\n";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
    const std::size_t at = kNames.find(kind);
    if (at == std::string_view::npos) {
      const Decoded what = decode(rest_.substr(1));
      return invalid("invalid escape sequence {}", rest_.substr(0, 1 + what.size));
    }
    if (at < kMeanings.size()) text_ += kMeanings[at];  // an escaped line break stands for nothing
    rest_.remove_prefix(2);
    return Done{};
  }

 private:
  Result<Done> take_octal() {
    std::uint32_t value = 0;
    std::size_t size = 1;
    for (; size < 4 && size < rest_.size() && rest_[size] >= '0' && rest_[size] <= '7'; ++size)
      value = value * 8 + static_cast<std::uint32_t>(rest_[size] - '0');
    if (!bytes_ && value > 127)
      return invalid(
          "non-ASCII octal escape \\{0:o} (use \\u{0:04X} for the UTF-8 encoding of U+{0:04X})",
          value);
    if (value > 255) return invalid("invalid escape sequence \\{:03o}", value);
    text_ += static_cast<char>(value);
    rest_.remove_prefix(size);
    return Done{};
  }

  Result<Done> take_hex() {
    std::uint32_t value = 0;
    const std::string_view source = rest_.substr(0, 4);
    PORTICO_DO(digits(4, value));
    if (!bytes_ && value > 127)
      return invalid("non-ASCII hex escape {} (use \\u{:04X} for the UTF-8 encoding of U+{:04X})",
                     source, value, value);
    text_ += static_cast<char>(value);
    return Done{};
  }

  Result<Done> take_unicode(std::size_t size) {
    std::uint32_t value = 0;
    const std::string_view source = rest_.substr(0, size);
    PORTICO_DO(digits(size, value));
    if (value > kLastCodePoint)
      return invalid("code point out of range: {} (max \\U0010ffff)", source);
    if (value >= 0xD800 && value < 0xE000)
      return invalid("invalid Unicode code point U+{:04X}", value);
    append(text_, value);
    return Done{};
  }

  /// Reads the hexadecimal digits of a sequence of `size` bytes.
  Result<Done> digits(std::size_t size, std::uint32_t& value) {
    if (rest_.size() < size) return invalid("truncated escape sequence {}", rest_);
    const char* end = rest_.data() + size;
    const auto [stop, error] = std::from_chars(rest_.data() + 2, end, value, 16);
    if (error != std::errc() || stop != end)
      return invalid("invalid escape sequence {}", rest_.substr(0, size));
    rest_.remove_prefix(size);
    return Done{};
  }

  std::string_view& rest_;
  std::string& text_;
  bool bytes_;
};

bool take_prefix(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

void append_hex(std::string& text, std::string_view prefix, CodePoint code, int digits) {
  text += prefix;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    text += "0123456789abcdef"[code >> shift & 0xF];
}

}  // namespace

Result<StringLiteral> unquote(std::string_view literal) {
  const bool raw = take_prefix(literal, 'r');
  StringLiteral result;
  result.bytes = take_prefix(literal, 'b');
  const std::size_t quotes =
      literal.size() >= 6 && literal[1] == literal[0] && literal[2] == literal[0] ? 3 : 1;
  std::string_view rest = literal.substr(quotes, literal.size() - 2 * quotes);
  while (!rest.empty()) {
    const std::size_t plain = std::min(rest.find_first_of(raw ? "\r" : "\\\r"), rest.size());
    result.text += rest.substr(0, plain);
    rest.remove_prefix(plain);
    if (rest.starts_with('\r')) {
      result.text += '\n';
      rest.remove_prefix(rest.starts_with("\r\n") ? 2 : 1);
    } else if (!rest.empty()) {
      if (rest.starts_with("\\\r")) {
        rest.remove_prefix(rest.starts_with("\\\r\n") ? 3 : 2);
        continue;
      }
      PORTICO_DO(Escape(rest, result.text, result.bytes).take());
    }
  }
  return result;
}

std::string quote(std::string_view text, bool bytes) {
  std::string literal = bytes ? "b\"" : "\"";
  while (!text.empty()) {
    const Decoded next = decode(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    text.remove_prefix(next.size);
    if (next.code == kReplacement && next.size == 1) {
      append_hex(literal, "\\x", byte, 2);
    } else if (next.code == '"' || next.code == '\\') {
      literal += '\\';
      append(literal, next.code);
    } else if (is_printable(next.code)) {
      append(literal, next.code);
    } else if (next.code >= '\a' && next.code <= '\r') {
      literal += '\\';
      literal += "abtnvfr"[next.code - '\a'];
    } else if (next.code < ' ' || next.code == 0x7F) {
      append_hex(literal, "\\x", next.code, 2);
    } else if (next.code < 0x10000) {
      append_hex(literal, "\\u", next.code, 4);
    } else {
      append_hex(literal, "\\U", next.code, 8);
    }
  }
  return literal + '"';
}

}  // namespace portico::starlark
