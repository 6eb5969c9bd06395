#include "fieldset/internal/go_text.h"

#include <fmt/format.h>

#include <cmath>

#include "json/text.h"

namespace portico::fieldset::internal {
namespace {

using json::Value;

std::string quoted(const Value& text) {
  std::string out;
  json::append_quoted(out, text.as_string());
  return out;
}

std::string number_text(const Value& number) {
  if (number.is_int()) return std::to_string(number.as_int());
  const double value = number.as_double();
  // Go omits ".0", and uses exponents from 1e21.
  if (std::abs(value) < 1e21 && value == std::floor(value)) return fmt::format("{:.0f}", value);
  return fmt::format("{}", value);
}

template <class Print>
std::string list_text(const Value& list, std::string_view between, const Print& print) {
  std::string out;
  for (const Value& item : list.items()) {
    if (!out.empty()) out += between;
    out += print(item);
  }
  return out;
}

}  // namespace

std::string scalar_text(const Value& value) {
  if (value.is_string()) return quoted(value);
  if (value.is_array()) return "[" + list_text(value, ",", scalar_text) + "]";
  if (value.is_null()) return "null";
  if (!value.is_object()) return plain_text(value);
  std::string out;
  for (const json::Member& member : value.members()) {
    if (!out.empty()) out += ";";
    out += fmt::format("{}={}", member.name(), scalar_text(member.value));
  }
  return "{" + out + "}";
}

std::string plain_text(const Value& value) {
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_number()) return number_text(value);
  if (value.is_array()) return "[" + list_text(value, " ", plain_text) + "]";
  if (value.is_null()) return "<nil>";
  std::string out;
  for (const json::Member& member : value.members()) {
    if (!out.empty()) out += " ";
    out += fmt::format("{}:{}", member.name(), plain_text(member.value));
  }
  return "map[" + out + "]";
}

std::string syntax_text(const Value& value) {
  if (value.is_string()) return quoted(value);
  if (value.is_array()) return "[]interface {}{" + list_text(value, ", ", syntax_text) + "}";
  if (value.is_null()) return "interface {}(nil)";
  if (!value.is_object()) return plain_text(value);
  std::string out;
  for (const json::Member& member : value.members()) {
    if (!out.empty()) out += ", ";
    out += quoted(member.key) + ":" + syntax_text(member.value);
  }
  return "map[string]interface {}{" + out + "}";
}

std::string type_text(const Value& value) {
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  if (value.is_int()) return "int64";
  if (value.is_number()) return "float64";
  if (value.is_array()) return "[]interface {}";
  return value.is_null() ? "<nil>" : "map[string]interface {}";
}

}  // namespace portico::fieldset::internal
