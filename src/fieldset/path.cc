#include "fieldset/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "fieldset/internal/go_text.h"
#include "json/text.h"

namespace portico::fieldset {
namespace {

using json::Value;
using Order = std::strong_ordering;

Order order_of_texts(std::string_view a, std::string_view b) { return a.compare(b) <=> 0; }

/// Order of types: numbers, strings, booleans, lists, maps, null.
int rank(const Value& value) {
  if (value.is_number()) return 0;
  if (value.is_string()) return 1;
  if (value.is_bool()) return 2;
  if (value.is_array()) return 3;
  return value.is_object() ? 4 : 5;
}

Order order_of_numbers(const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) return a.as_int() <=> b.as_int();
  const double x = a.as_double(), y = b.as_double();
  if (x < y) return Order::less;
  return y < x ? Order::greater : Order::equal;
}

Order order_of(const Value& a, const Value& b) {
  if (const Order order = rank(a) <=> rank(b); order != 0) return order;
  if (a.is_number()) return order_of_numbers(a, b);
  if (a.is_string()) return order_of_texts(a.as_string(), b.as_string());
  if (a.is_bool()) return a.as_bool() <=> b.as_bool();
  const auto pairs = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < pairs && a.is_array(); ++i)
    if (const Order order = order_of(a.items()[i], b.items()[i]); order != 0) return order;
  for (std::size_t i = 0; i < pairs && a.is_object(); ++i) {
    const json::Member &x = a.members()[i], &y = b.members()[i];
    if (const Order order = order_of_texts(x.name(), y.name()); order != 0) return order;
    if (const Order order = order_of(x.value, y.value); order != 0) return order;
  }
  return a.size() <=> b.size();
}

}  // namespace

std::strong_ordering operator<=>(const Step& a, const Step& b) {
  if (const Order order = a.kind <=> b.kind; order != 0) return order;
  if (a.kind == Step::Kind::kField) {
    if (a.value.same_as(b.value)) return Order::equal;
    return order_of_texts(a.value.as_string(), b.value.as_string());
  }
  return order_of(a.value, b.value);
}

bool same(const Value& a, const Value& b) {
  if (a.is_string() && b.is_string()) return a.as_string() == b.as_string();
  if (a.same_as(b)) return true;
  if (a.is_number() && b.is_number()) return order_of_numbers(a, b) == 0;
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_array()) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!same(a.items()[i], b.items()[i])) return false;
    return true;
  }
  if (!a.is_object()) return a == b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const json::Member &x = a.members()[i], &y = b.members()[i];
    if (x.name() != y.name() || !same(x.value, y.value)) return false;
  }
  return true;
}

std::string text_of(const Step& step) {
  switch (step.kind) {
    case Step::Kind::kField:
      return "." + std::string(step.value.as_string());
    case Step::Kind::kItem:
      return "[=" + internal::scalar_text(step.value) + "]";
    case Step::Kind::kIndex:
      return fmt::format("[{}]", step.value.as_int());
    case Step::Kind::kKeys:
      break;
  }
  std::string out;
  for (const json::Member& key : step.value.members()) {
    out += out.empty() ? "[" : ",";
    out += key.name();
    out += "=" + internal::scalar_text(key.value);
  }
  return (out.empty() ? "[" : out) + "]";
}

std::string text_of(const Path& path) {
  std::string out;
  for (const Step& step : path) out += text_of(step);
  return out;
}

std::string key_of(const Step& step) {
  switch (step.kind) {
    case Step::Kind::kField:
      return "f:" + std::string(step.value.as_string());
    case Step::Kind::kKeys:
      return "k:" + json::print(step.value);
    case Step::Kind::kItem:
      return "v:" + json::print(step.value);
    case Step::Kind::kIndex:
      break;
  }
  return fmt::format("i:{}", step.value.as_int());
}

Result<std::optional<Step>> parse_step(const Value& key) {
  const std::string_view text = key.as_string();
  if (text.size() < 2 || text[1] != ':')
    return invalid("invalid path element \"{}\": must start with f:, k:, v: or i:", text);
  const std::string_view rest = text.substr(2);
  switch (text[0]) {
    case 'f':
      return std::optional<Step>({Step::Kind::kField, Value(rest)});
    case 'k': {
      PORTICO_TRY(Value keys, json::parse(rest), std::string(text));
      if (!keys.is_object())
        return invalid("invalid path element \"{}\": k: must be followed by a map of keys", text);
      return std::optional<Step>({Step::Kind::kKeys, std::move(keys)});
    }
    case 'v': {
      PORTICO_TRY(Value item, json::parse(rest), std::string(text));
      return std::optional<Step>({Step::Kind::kItem, std::move(item)});
    }
    case 'i': {
      std::int64_t index = 0;
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
      if (error != std::errc() || end != rest.data() + rest.size())
        return invalid("invalid path element \"{}\": i: must be followed by a number", text);
      return std::optional<Step>({Step::Kind::kIndex, Value(index)});
    }
    default:
      return std::optional<Step>();
  }
}

}  // namespace portico::fieldset
