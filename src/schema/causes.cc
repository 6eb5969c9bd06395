#include "schema/causes.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include "json/text.h"

namespace portico::schema {
namespace {

using json::Value;

std::string shown(const Value& value) {
  switch (value.type()) {
    case Value::Type::kString:
      return go_quoted(value.as_string());
    case Value::Type::kUint:  // not an int64, so a float64 in Go
    case Value::Type::kDouble:
      return go_number(value.as_double());
    default:
      return json::print(value);
  }
}

Cause cause(std::string_view reason, std::string field, std::string message) {
  return {std::string(reason), std::move(message), std::move(field)};
}

/// The number of bytes of the UTF-8 character at the start of `text`; 0 if it is invalid.
std::size_t character(std::string_view text, std::uint32_t& code) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) {
    code = first;
    return 1;
  }
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (size == 0 || first > 0xF4 || text.size() < size) return 0;
  code = first & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return 0;
    code = (code << 6) | (next & 0x3Fu);
  }
  return size;
}

/// Whether Go prints the character as it is. Covers the relevant exceptions: control characters,
/// invisible ones that change the look of a line, and blanks other than U+0020.
bool is_printed(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code <= 0xA0) || code == 0xAD) return false;
  if (code >= 0x2000 && code <= 0x200F) return false;
  if (code >= 0x2028 && code <= 0x202F) return false;
  if (code >= 0x205F && code <= 0x206F) return false;
  if (code >= 0xD800 && code <= 0xF8FF) return false;
  return code != 0x1680 && code != 0x3000 && code != 0xFEFF;
}

}  // namespace

Path& Path::child(std::string_view name) {
  if (!text_.empty()) text_ += '.';
  text_ += name;
  return *this;
}

Path& Path::key(std::string_view key) {
  text_ += '[';
  text_ += key;
  text_ += ']';
  return *this;
}

Path& Path::index(std::size_t index) { return key(std::to_string(index)); }

Cause invalid_value(std::string field, const Value& value, std::string_view detail) {
  return cause("FieldValueInvalid", std::move(field),
               fmt::format("Invalid value: {}: {}", shown(value), detail));
}

Cause wrong_type(std::string field, const Value& value, std::string_view detail) {
  return cause("FieldValueTypeInvalid", std::move(field),
               fmt::format("Invalid value: {}: {}", shown(value), detail));
}

Cause required_value(std::string field, std::string_view detail) {
  return cause("FieldValueRequired", std::move(field),
               detail.empty() ? "Required value" : fmt::format("Required value: {}", detail));
}

Cause forbidden_value(std::string field, std::string_view detail) {
  return cause("FieldValueForbidden", std::move(field), fmt::format("Forbidden: {}", detail));
}

Cause duplicate_value(std::string field, const Value& value) {
  return cause("FieldValueDuplicate", std::move(field),
               fmt::format("Duplicate value: {}", shown(value)));
}

Cause unsupported_value(std::string field, const Value& value,
                        std::span<const std::string> supported) {
  std::string list;
  for (const std::string& one : supported) list += (list.empty() ? "" : ", ") + go_quoted(one);
  std::string message = fmt::format("Unsupported value: {}", shown(value));
  if (!list.empty()) message += ": supported values: " + list;
  return cause("FieldValueNotSupported", std::move(field), std::move(message));
}

Cause too_long(std::string field, std::int64_t most) {
  return cause("FieldValueTooLong", std::move(field),
               fmt::format("Too long: may not be more than {} bytes", most));
}

Cause too_many(std::string field, std::int64_t have, std::int64_t most) {
  return cause("FieldValueTooMany", std::move(field),
               fmt::format("Too many: {}: must have at most {} items", have, most));
}

std::string line(const Cause& cause) { return cause.field + ": " + cause.message; }

std::string go_number(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "+Inf" : "-Inf";
  char buffer[32];
  const auto shortest =
      std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific);
  const std::string_view text(buffer, static_cast<std::size_t>(shortest.ptr - buffer));
  const std::size_t mark = text.find('e');
  int exponent = 0;
  // from_chars does not accept a plus sign. Go uses exponents from 1e6.
  const std::size_t digits = mark + (text[mark + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + digits, text.data() + text.size(), exponent);
  if (exponent < -4 || exponent >= 6) return std::string(text);
  const auto plain =
      std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::fixed);
  return {buffer, static_cast<std::size_t>(plain.ptr - buffer)};
}

std::string go_quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    std::uint32_t code = 0;
    const std::size_t size = character(text, code);
    const char first = text[0];
    if (size == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(first));
    } else if (first == '"' || first == '\\') {
      out += '\\';
      out += first;
    } else if (is_printed(code)) {
      out += text.substr(0, size);
    } else {
      constexpr std::string_view kShort = "abtnvfr";  // 0x07 to 0x0D
      if (code == '\a' || (code >= '\b' && code <= '\r')) {
        out += '\\';
        out += kShort[code - '\a'];
      } else if (code < 0x80) {
        out += fmt::format("\\x{:02x}", code);
      } else if (code < 0x10000) {
        out += fmt::format("\\u{:04x}", code);
      } else {
        out += fmt::format("\\U{:08x}", code);
      }
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out + '"';
}

}  // namespace portico::schema
