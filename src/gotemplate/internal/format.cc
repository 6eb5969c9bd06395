#include "gotemplate/internal/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/go_quoted.h"
#include "json/text.h"

namespace portico::gotemplate::internal {

using json::Value;

namespace {

// strconv.FormatFloat(x, 'g', -1, 64).
std::string shortest(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Inf" : "+Inf";
  if (number == 0) return std::signbit(number) ? "-0" : "0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(number))));
  if (exponent >= -5 && exponent < 22) {
    std::string out = fmt::format("{}", number);
    if (out.ends_with(".0")) out.resize(out.size() - 2);
    if (out.find('e') == std::string::npos && std::fabs(number) < 1e21 && std::fabs(number) >= 1e-4)
      return out;
  }
  std::string out = fmt::format("{:e}", number);
  // The shortest digits that read back as the same number.
  for (int digits = 0; digits < 18; ++digits) {
    out = fmt::format("{:.{}e}", number, digits);
    if (std::strtod(out.c_str(), nullptr) == number) break;
  }
  return out;
}

std::string_view type_of(const Value& value) {
  switch (value.type()) {
    case Value::Type::kNull:
      return "<nil>";
    case Value::Type::kBool:
      return "bool";
    case Value::Type::kInt:
    case Value::Type::kUint:
      return "int64";
    case Value::Type::kDouble:
      return "float64";
    case Value::Type::kString:
      return "string";
    case Value::Type::kArray:
      return "[]interface {}";
    case Value::Type::kObject:
      return "map[string]interface {}";
  }
  return "";
}

// One verb, with the flags, width and precision between it and its '%'.
struct Directive {
  bool minus = false, plus = false, zero = false, blank = false, sharp = false;
  std::optional<int> width, precision;
  char verb = 'v';
};

std::string hex_of(std::string_view text, bool upper) {
  std::string out;
  for (const char c : text)
    out += upper ? fmt::format("{:02X}", static_cast<unsigned char>(c))
                 : fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::string with_sign(std::string digits, const Directive& how) {
  if (!digits.starts_with("-") && how.plus) return "+" + digits;
  if (!digits.starts_with("-") && how.blank) return " " + digits;
  return digits;
}

std::optional<std::string> real_text(double number, const Directive& how) {
  const int precision = how.precision.value_or(6);
  switch (how.verb) {
    case 'e':
      return fmt::format("{:.{}e}", number, precision);
    case 'E':
      return fmt::format("{:.{}E}", number, precision);
    case 'f':
    case 'F':
      return fmt::format("{:.{}f}", number, precision);
    case 'g':
    case 'G':
    case 'v':
      return how.precision ? fmt::format("{:.{}g}", number, precision) : shortest(number);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> whole_text(const Value& value, const Directive& how) {
  const std::int64_t number = value.as_int();
  switch (how.verb) {
    case 'd':
    case 'v':
      return value.type() == Value::Type::kUint ? fmt::format("{}", value.as_uint())
                                                : fmt::format("{}", number);
    case 'x':
      return fmt::format("{:x}", number);
    case 'X':
      return fmt::format("{:X}", number);
    case 'o':
      return fmt::format("{:o}", number);
    case 'b':
      return fmt::format("{:b}", number);
    case 'U':
      return fmt::format("U+{:04X}", number);
    case 'c':
      if (number >= 0 && number < 0x80) return std::string(1, static_cast<char>(number));
      return std::nullopt;
    default:
      return real_text(value.as_double(), how);
  }
}

// nullopt if the verb does not apply to the value.
std::optional<std::string> formatted(const Value& value, const Directive& how) {
  if (how.verb == 'T') return std::string(type_of(value));
  switch (value.type()) {
    case Value::Type::kBool:
      if (how.verb == 't' || how.verb == 'v') return value.as_bool() ? "true" : "false";
      return std::nullopt;
    case Value::Type::kInt:
    case Value::Type::kUint: {
      auto out = whole_text(value, how);
      return out ? std::optional(with_sign(*std::move(out), how)) : out;
    }
    case Value::Type::kDouble: {
      const double number = value.as_double();
      const bool whole =
          how.verb == 'd' && number == std::floor(number) && std::fabs(number) < 9e15;
      if (whole) return with_sign(fmt::format("{}", static_cast<std::int64_t>(number)), how);
      auto out = real_text(number, how);
      return out ? std::optional(with_sign(*std::move(out), how)) : out;
    }
    case Value::Type::kString: {
      std::string text(value.as_string());
      if (how.precision && how.verb != 'x' && how.verb != 'X')
        text = text.substr(0, static_cast<std::size_t>(*how.precision));
      if (how.verb == 's' || how.verb == 'v') return text;
      if (how.verb == 'q') return go_quoted(text);
      if (how.verb == 'x' || how.verb == 'X') return hex_of(text, how.verb == 'X');
      return std::nullopt;
    }
    case Value::Type::kNull:
      if (how.verb == 'v') return "<nil>";
      return std::nullopt;
    case Value::Type::kArray:
    case Value::Type::kObject:
      if (how.verb == 'v' || how.verb == 's') return go_text(value);
      return std::nullopt;
  }
  return std::nullopt;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string padded(std::string text, const Directive& how, bool number) {
  const std::size_t width = static_cast<std::size_t>(how.width.value_or(0));
  const std::size_t has = characters(text);
  if (has >= width) return text;
  const std::size_t more = width - has;
  if (how.minus) return text + std::string(more, ' ');
  if (how.zero && number) {
    const std::size_t sign = text.starts_with("-") || text.starts_with("+") ? 1 : 0;
    return text.insert(sign, more, '0');
  }
  return std::string(more, how.zero ? '0' : ' ') + text;
}

constexpr int kMostWidth = 10'000;

// Digits, or '*' to take the next value.
std::optional<int> count_at(std::string_view format, std::size_t& at, std::span<const Value> values,
                            std::size_t& next) {
  if (at < format.size() && format[at] == '*') {
    ++at;
    if (next >= values.size()) return std::nullopt;
    const std::int64_t count = values[next++].as_int();
    return static_cast<int>(std::clamp<std::int64_t>(count, 0, kMostWidth));
  }
  std::optional<int> out;
  for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at)
    out = std::min(kMostWidth, out.value_or(0) * 10 + (format[at] - '0'));
  return out;
}

Directive directive_at(std::string_view format, std::size_t& at, std::span<const Value> values,
                       std::size_t& next) {
  Directive out;
  for (; at < format.size(); ++at) {
    const char c = format[at];
    if (c == '-')
      out.minus = true;
    else if (c == '+')
      out.plus = true;
    else if (c == '0')
      out.zero = true;
    else if (c == ' ')
      out.blank = true;
    else if (c == '#')
      out.sharp = true;
    else
      break;
  }
  out.width = count_at(format, at, values, next);
  if (at < format.size() && format[at] == '.') {
    ++at;
    out.precision = count_at(format, at, values, next).value_or(0);
  }
  return out;
}

}  // namespace

std::string go_text(const Value& value) {
  switch (value.type()) {
    case Value::Type::kNull:
      return "<nil>";
    case Value::Type::kString:
      return std::string(value.as_string());
    case Value::Type::kDouble:
      return shortest(value.as_double());
    case Value::Type::kArray: {
      std::string out = "[";
      for (const Value& item : value.items()) out += (out.size() > 1 ? " " : "") + go_text(item);
      return out + "]";
    }
    case Value::Type::kObject: {
      std::string out = "map[";
      for (const json::Member& member : value.members())
        out +=
            fmt::format("{}{}:{}", out.size() > 4 ? " " : "", member.name(), go_text(member.value));
      return out + "]";
    }
    default:
      return json::print(value);
  }
}

std::string sprint(std::span<const Value> values) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && !values[i].is_string() && !values[i - 1].is_string()) out += ' ';
    out += go_text(values[i]);
  }
  return out;
}

std::string sprintln(std::span<const Value> values) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) out += (i > 0 ? " " : "") + go_text(values[i]);
  return out + "\n";
}

std::string sprintf(std::string_view format, std::span<const Value> values) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t at = 0; at < format.size();) {
    const std::size_t percent = std::min(format.find('%', at), format.size());
    out += format.substr(at, percent - at);
    if (percent == format.size()) break;
    at = percent + 1;
    Directive how = directive_at(format, at, values, next);
    if (at == format.size()) return out + "%!(NOVERB)";
    how.verb = format[at++];
    if (how.verb == '%') {
      out += '%';
    } else if (next >= values.size()) {
      out += fmt::format("%!{}(MISSING)", how.verb);
    } else {
      const Value& value = values[next++];
      auto text = formatted(value, how);
      if (text)
        out += padded(*std::move(text), how, value.is_number());
      else if (value.is_null())
        out += fmt::format("%!{}(<nil>)", how.verb);
      else
        out += fmt::format("%!{}({}={})", how.verb, type_of(value), go_text(value));
    }
  }
  if (next < values.size()) {
    out += "%!(EXTRA ";
    for (std::size_t i = next; i < values.size(); ++i)
      out += fmt::format("{}{}", i > next ? ", " : "",
                         values[i].is_null()
                             ? "<nil>"
                             : fmt::format("{}={}", type_of(values[i]), go_text(values[i])));
    out += ")";
  }
  return out;
}

}  // namespace portico::gotemplate::internal
