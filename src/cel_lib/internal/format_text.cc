// %s: values as text, and numbers in the style of a locale.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cel/numbers.h"
#include "cel/time.h"
#include "cel/utf8.h"
#include "cel_lib/internal/format.h"

namespace portico::cel_lib::internal {
namespace {

constexpr int kDeepest = 100;

Value no_text(const Value& value) {
  return Value::error(
      fmt::format("string clause can only be used on strings, bools, bytes, ints, doubles, maps, "
                  "lists, types, durations, and timestamps, was given {}",
                  value.type_name()));
}

std::string double_name(double value) {
  if (std::isnan(value)) return "NaN";
  return value < 0 ? "-Infinity" : "Infinity";
}

// The text of a value that is neither list nor map; nullopt if it has no text form.
std::optional<std::string> simple_text(Generation generation, const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return value.as_bool() ? "true" : "false";
    case Kind::kInt:
      return fmt::format("{}", value.as_int());
    case Kind::kUint:
      return fmt::format("{}", value.as_uint());
    case Kind::kDouble:
      if (generation == Generation::kFirst) return cel::double_text(value.as_double());
      if (!std::isfinite(value.as_double())) return double_name(value.as_double());
      return cel::double_plain(value.as_double());
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kType:
      return std::string(value.text());
    case Kind::kTimestamp:
      return cel::timestamp_text(value.as_timestamp());
    case Kind::kDuration:
      return cel::duration_text(value.as_duration());
    default:
      return std::nullopt;
  }
}

// The form inside a first-generation list: a CEL literal.
std::optional<std::string> literal_text(const Value& value) {
  switch (value.kind()) {
    case Kind::kString:
      return go_quoted(value.text());
    case Kind::kBytes:
      return "b" + go_quoted(value.text());
    case Kind::kTimestamp:
      return "timestamp(" + go_quoted(cel::timestamp_text(value.as_timestamp())) + ")";
    case Kind::kDuration:
      return "duration(" + go_quoted(cel::duration_text(value.as_duration())) + ")";
    case Kind::kDouble:
      if (!std::isfinite(value.as_double())) return go_quoted(cel::double_text(value.as_double()));
      return cel::double_fixed(value.as_double(), 6);
    default:
      return simple_text(Generation::kFirst, value);
  }
}

class Writer {
 public:
  explicit Writer(Generation generation) : first_(generation == Generation::kFirst) {}

  // Returns an error value, or null on success.
  Value write(const Value& value, bool inside, int depth, std::string& out) const {
    if (depth > kDeepest) return Value::error("value is nested too deep to be formatted");
    if (value.is(Kind::kList)) return write_list(value.as_list(), depth, out);
    if (value.is(Kind::kMap)) return write_map(value.as_map(), depth, out);
    const auto text = first_ && inside
                          ? literal_text(value)
                          : simple_text(first_ ? Generation::kFirst : Generation::kSecond, value);
    if (!text) {
      return first_ && inside
                 ? Value::error(fmt::format("no formatting function for {}", value.type_name()))
                 : no_text(value);
    }
    out += *text;
    return Value();
  }

 private:
  Value write_list(const cel::List& list, int depth, std::string& out) const {
    out += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out += ", ";
      if (Value error = write(list.at(i), true, depth + 1, out); error.is_error()) return error;
    }
    out += ']';
    return Value();
  }

  Value write_map(const cel::Map& map, int depth, std::string& out) const {
    std::vector<std::pair<std::string, std::string>> entries;
    for (const Value& key : map.keys()) {
      auto& [key_text, value_text] = entries.emplace_back();
      if (first_ && key.is(Kind::kDouble))
        return Value::error("no formatting function for map key of type double");
      const Value value = map.find(key).value_or(Value());
      if (Value error = write(key, true, depth + 1, key_text); error.is_error()) return error;
      if (Value error = write(value, true, depth + 1, value_text); error.is_error()) return error;
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    out += '{';
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > 0) out += ", ";
      out += entries[i].first;
      out += first_ ? ":" : ": ";
      out += entries[i].second;
    }
    out += '}';
    return Value();
  }

  bool first_;
};

struct Marks {
  std::string_view decimal = ".";
  std::string_view group = ",";
};

// Chosen by the language, which is the part before '_' or '-'.
Marks marks_of(std::string_view locale) {
  const std::string_view language = locale.substr(0, locale.find_first_of("_-"));
  for (const std::string_view each : {"de", "nl", "es", "it", "da", "id", "tr", "pt", "el", "ro"})
    if (language == each) return {",", "."};
  if (language == "fr") return {",", "\u202f"};
  for (const std::string_view each : {"ru", "uk", "pl", "cs", "sv", "nb", "fi", "hu", "sk", "bg"})
    if (language == each) return {",", "\u00a0"};
  return {};
}

// "1234.5" with the language's marks and the integer part in groups of three.
std::string localized(std::string_view digits, const Marks& marks) {
  std::string out;
  if (digits.starts_with('-')) {
    out += '-';
    digits.remove_prefix(1);
  }
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t i = 0; i < point; ++i) {
    if (i > 0 && (point - i) % 3 == 0) out += marks.group;
    out += digits[i];
  }
  if (point < digits.size()) {
    out += marks.decimal;
    out += digits.substr(point + 1);
  }
  return out;
}

std::optional<std::string> infinite(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-∞" : "∞";
  return std::nullopt;
}

}  // namespace

Value format_string(Generation generation, const Value& value) {
  std::string out;
  if (Value error = Writer(generation).write(value, false, 0, out); error.is_error()) return error;
  return Value::string(out);
}

std::string format_fixed_local(double value, int precision, std::string_view locale) {
  if (auto special = infinite(value)) return *special;
  return localized(cel::double_fixed(value, precision), marks_of(locale));
}

// Always six digits: here the precision is the minimum width of the text.
std::string format_scientific_local(double value, int precision, std::string_view locale) {
  std::string out;
  if (auto special = infinite(value)) {
    out = *special;
  } else {
    static constexpr std::string_view kRaised[] = {"⁰", "¹", "²", "³", "⁴",
                                                   "⁵", "⁶", "⁷", "⁸", "⁹"};
    const std::string plain = cel::double_scientific(value, 6);
    const std::size_t e = plain.find('e');
    out = localized(plain.substr(0, e), marks_of(locale)) + "\u202f×\u202f10";
    for (const char c : plain.substr(e + 1)) {
      if (c == '-') out += "⁻";
      if (c >= '0' && c <= '9') out += kRaised[c - '0'];
    }
  }
  const std::size_t width = cel::count_code_points(out);
  if (width < static_cast<std::size_t>(precision))
    out.insert(0, static_cast<std::size_t>(precision) - width, ' ');
  return out;
}

}  // namespace portico::cel_lib::internal
