#include "starlark_syntax/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace portico::starlark {

namespace {

/// Room for the longest double with six digits after the point.
using Buffer = std::array<char, 352>;

/// The shortest digits that read back as `value`: "d.ddde[+-]dd" becomes "dddd" and the exponent.
std::string shortest(double value, char exponent_letter) {
  Buffer buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value),
                                 std::chars_format::scientific)
                       .ptr;
  const std::string_view scientific(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t mark = scientific.find('e');
  std::string digits;
  for (const char c : scientific.substr(0, mark))
    if (c != '.') digits += c;
  int exponent = std::atoi(std::string(scientific.substr(mark + 1)).c_str());

  // Small exponents are written without an exponent, as by C's %g with six digits.
  std::string text = std::signbit(value) ? "-" : "";
  if (exponent < -4 || exponent >= 6) {
    text += digits[0];
    if (digits.size() > 1) text += "." + digits.substr(1);
    text += exponent_letter;
    text += scientific.substr(mark + 1);
    return text;
  }
  if (exponent < 0) {
    text += "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    return text;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return text + digits + std::string(whole - digits.size(), '0') + ".0";
  return text + digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace

std::string format_float(double value, char conversion) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "+inf" : "-inf";
  if (conversion == 'g' || conversion == 'G') return shortest(value, conversion == 'g' ? 'e' : 'E');
  const bool fixed = conversion == 'f' || conversion == 'F';
  Buffer buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                    fixed ? std::chars_format::fixed : std::chars_format::scientific, 6)
          .ptr;
  std::string text(buffer.data(), end);
  if (conversion == 'E')
    if (const std::size_t mark = text.find('e'); mark != std::string::npos) text[mark] = 'E';
  return text;
}

std::optional<double> parse_float(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || digits.find_first_not_of("0123456789.eE+-") != std::string_view::npos ||
      digits[0] == '+' || digits[0] == '-')
    return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Too large or too small: strtod gives infinity or zero.
    value = std::strtod(std::string(text).c_str(), nullptr);
    return value;
  }
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::weak_ordering order(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return static_cast<int>(std::isnan(x)) <=> static_cast<int>(std::isnan(y));
  return x < y   ? std::weak_ordering::less
         : x > y ? std::weak_ordering::greater
                 : std::weak_ordering::equivalent;
}

std::weak_ordering order(const BigInt& x, double y) {
  if (std::isnan(y) || y == HUGE_VAL) return std::weak_ordering::less;
  if (y == -HUGE_VAL) return std::weak_ordering::greater;
  const std::strong_ordering whole = x <=> BigInt::from_double(y);
  if (whole != 0) return whole;
  return order(0.0, y - std::trunc(y));
}

std::weak_ordering order(std::int64_t x, double y) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (x >= -kExact && x <= kExact) return order(static_cast<double>(x), y);
  return order(BigInt(x), y);
}

}  // namespace portico::starlark
