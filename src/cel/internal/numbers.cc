#include "cel/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

namespace portico::cel {
namespace {

template <class T>
std::optional<T> read_whole(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

// For out-of-range digits: whether they are too large rather than too small.
bool is_huge(std::string_view digits) {
  const std::size_t e = digits.find_first_of("eE");
  const std::string_view mantissa = digits.substr(0, e);
  long exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view power = digits.substr(e + 1);
    const bool negative = power.starts_with('-');
    if (negative || power.starts_with('+')) power.remove_prefix(1);
    for (const char c : power) exponent = std::min(exponent * 10 + (c - '0'), 1'000'000L);
    if (negative) exponent = -exponent;
  }
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_not_of("0.");
  if (first == std::string_view::npos) return false;
  return static_cast<long>(point) - static_cast<long>(first) + exponent > 0;
}

template <class... Format>
std::string print(double value, std::size_t room, Format... format) {
  std::string out(room, '\0');
  const auto [end, error] = std::to_chars(out.data(), out.data() + out.size(), value, format...);
  out.resize(error == std::errc() ? static_cast<std::size_t>(end - out.data()) : 0);
  return out;
}

bool same_ignoring_case(std::string_view a, std::string_view lower) {
  return std::equal(a.begin(), a.end(), lower.begin(), lower.end(), [](char x, char y) {
    return (x >= 'A' && x <= 'Z' ? static_cast<char>(x + 32) : x) == y;
  });
}

}  // namespace

double read_double_literal(std::string_view digits) {
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    return is_huge(digits) ? std::numeric_limits<double>::infinity() : 0.0;
  return value;
}

std::optional<std::int64_t> read_int(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  return read_whole<std::int64_t>(text);
}

std::optional<std::uint64_t> read_uint(std::string_view text) {
  return read_whole<std::uint64_t>(text);
}

std::optional<double> read_double(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const double sign = negative ? -1.0 : 1.0;
  if (same_ignoring_case(text, "inf") || same_ignoring_case(text, "infinity"))
    return sign * std::numeric_limits<double>::infinity();
  if (same_ignoring_case(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  if (text.empty() || (text[0] != '.' && (text[0] < '0' || text[0] > '9'))) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    if (is_huge(text)) return std::nullopt;
    return sign * 0.0;
  }
  if (error != std::errc()) return std::nullopt;
  return sign * value;
}

std::string double_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::string scientific = print(value, 32, std::chars_format::scientific);
  const auto exponent = read_int(std::string_view(scientific).substr(scientific.find('e') + 1));
  if (exponent.value_or(0) < -4 || exponent.value_or(0) >= 6) return scientific;
  return double_plain(value);
}

std::string double_plain(double value) {
  const std::string scientific = print(value, 32, std::chars_format::scientific);
  const std::size_t e = scientific.find('e');
  std::string digits = scientific.substr(0, e);
  const std::size_t point = digits.find('.');
  const auto decimals = static_cast<std::int64_t>(point == std::string::npos ? 0 : e - point - 1);
  const std::int64_t exponent = read_int(std::string_view(scientific).substr(e + 1)).value_or(0);
  if (exponent < decimals) return print(value, 512, std::chars_format::fixed);
  // Beyond the shortest digits, to_chars would print the digits of the exact value.
  if (decimals != 0) digits.erase(point, 1);
  digits.append(static_cast<std::size_t>(exponent - decimals), '0');
  return digits;
}

std::string double_fixed(double value, int precision) {
  return print(value, 400 + static_cast<std::size_t>(precision), std::chars_format::fixed,
               precision);
}

std::string double_scientific(double value, int precision) {
  return print(value, 32 + static_cast<std::size_t>(precision), std::chars_format::scientific,
               precision);
}

}  // namespace portico::cel
