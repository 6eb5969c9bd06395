#include "yaml/resolve.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "yaml/internal/chars.h"

namespace portico::yaml {
namespace {

Resolved of_bool(bool value) {
  Resolved out;
  out.type = Type::kBool;
  out.boolean = value;
  return out;
}

Resolved of_float(double value) {
  Resolved out;
  out.type = Type::kFloat;
  out.number = value;
  return out;
}

Resolved of_type(Type type) {
  Resolved out;
  out.type = type;
  return out;
}

template <std::size_t N>
bool one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

constexpr std::array<std::string_view, 5> kNulls = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 3> kTrue = {"true", "True", "TRUE"};
constexpr std::array<std::string_view, 3> kFalse = {"false", "False", "FALSE"};
constexpr std::array<std::string_view, 3> kNan = {".nan", ".NaN", ".NAN"};
constexpr std::array<std::string_view, 3> kInf = {".inf", ".Inf", ".INF"};

/// An integer of any base, with sign and prefix parsed by Go's rules.
std::optional<Resolved> integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char mark = text[1];
    base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
    const bool marked = base != 8 || mark == 'o' || mark == 'O';
    text.remove_prefix(marked ? 2 : 1);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (negative && value > kMax + 1) return std::nullopt;
  Resolved out;
  if (negative || value <= kMax) {
    out.type = Type::kInt;
    out.integer = static_cast<std::int64_t>(negative ? 0 - value : value);
  } else {
    out.type = Type::kUint;
    out.unsigned_integer = value;
  }
  return out;
}

/// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
std::optional<Resolved> decimal(std::string_view text) {
  std::size_t i = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i - begin;
  };
  const std::size_t whole = digits();
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (digits() == 0 && whole == 0) return std::nullopt;
  } else if (whole == 0) {
    return std::nullopt;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (digits() == 0) return std::nullopt;
  }
  if (i != text.size()) return std::nullopt;
  if (text[0] == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Out of range: Go refuses infinity and then reads a string; a zero by underflow is kept.
  if (error == std::errc::result_out_of_range) {
    const std::size_t exponent = text.find_first_of("eE");
    if (exponent == std::string_view::npos || text[exponent + 1] != '-') return std::nullopt;
    return of_float(text[0] == '-' ? -0.0 : 0.0);
  }
  (void)end;
  return of_float(value);
}

std::string without_underscores(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

bool is_base60(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t colon = text.find(':');
  if (text.empty() || !is_digit(text[0]) || colon == std::string_view::npos) return false;
  return text.find_first_not_of("0123456789_:.") == std::string_view::npos;
}

bool is_timestamp(std::string_view text) {
  const std::size_t year = 4;
  if (text.size() < 8 || !std::all_of(text.begin(), text.begin() + year, is_digit)) return false;
  if (text[year] != '-') return false;
  std::size_t i = year + 1, parts = 0;
  for (; parts < 2; ++parts) {
    const std::size_t begin = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    if (i == begin || i - begin > 2) return false;
    if (parts == 0) {
      if (i >= text.size() || text[i] != '-') return false;
      ++i;
    }
  }
  return i == text.size() || text[i] == 'T' || text[i] == 't' || is_blank(text[i]);
}

}  // namespace

Resolved resolve_plain(std::string_view text) {
  const char first = text.empty() ? '\0' : text.front();
  const bool sign = first == '-' || first == '+';
  if (is_digit(first) || sign || first == '.') {
    if (text.size() <= 5) {
      if (one_of(text, kNan)) return of_float(std::numeric_limits<double>::quiet_NaN());
      const std::string_view tail = sign ? text.substr(1) : text;
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      if (one_of(tail, kInf)) return of_float(first == '-' ? -kInfinity : kInfinity);
    }
    const bool underscores = first != '.' && text.find('_') != std::string_view::npos;
    const std::string plain = underscores ? without_underscores(text) : std::string();
    const std::string_view number = underscores ? std::string_view(plain) : text;
    if (first != '.')
      if (const auto found = integer(number)) return *found;
    if (const auto found = decimal(number)) return *found;
    return of_type(Type::kString);
  }
  if (text.size() <= 5) {
    if (one_of(text, kNulls)) return of_type(Type::kNull);
    if (one_of(text, kTrue)) return of_bool(true);
    if (one_of(text, kFalse)) return of_bool(false);
    if (text == "<<") return of_type(Type::kMerge);
  }
  return of_type(Type::kString);
}

Result<Resolved> resolve(const Document& document, NodeId id) {
  const Node& node = document[id];
  if (!node.has_tag) {
    if (node.style != Style::kPlain) return of_type(Type::kString);
    std::string scratch;
    return resolve_plain(document.scalar(id, scratch));
  }
  constexpr std::string_view kStandard = "tag:yaml.org,2002:";
  const std::string tag = document.tag(id);
  if (!tag.starts_with(kStandard)) return of_type(Type::kString);
  const std::string_view type = std::string_view(tag).substr(kStandard.size());
  if (type == "merge") return of_type(Type::kMerge);
  if (type != "null" && type != "bool" && type != "int" && type != "float")
    return of_type(Type::kString);
  const std::string text = document.scalar(id);
  Resolved seen = resolve_plain(text);
  const bool whole = seen.type == Type::kInt || seen.type == Type::kUint;
  if (type == "null" && seen.type == Type::kNull) return seen;
  if (type == "bool" && seen.type == Type::kBool) return seen;
  if (type == "int" && whole) return seen;
  if (type == "float" && seen.type == Type::kFloat) return seen;
  if (type == "float" && whole)
    return of_float(seen.type == Type::kInt ? static_cast<double>(seen.integer)
                                            : static_cast<double>(seen.unsigned_integer));
  return invalid("cannot decode \"{}\" as {}, the type of its tag", text, type)
      .in(document.place(node.begin));
}

bool looks_typed_in_yaml11(std::string_view text) {
  if (resolve_plain(text).type != Type::kString) return true;
  static constexpr std::array<std::string_view, 16> kBooleans = {
      "y", "Y", "yes", "Yes", "YES", "on",  "On",  "ON",
      "n", "N", "no",  "No",  "NO",  "off", "Off", "OFF"};
  if (one_of(text, kBooleans)) return true;
  return is_base60(text) || is_timestamp(text);
}

}  // namespace portico::yaml
