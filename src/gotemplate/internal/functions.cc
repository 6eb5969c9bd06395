#include "gotemplate/internal/functions.h"

#include <algorithm>
#include <compare>
#include <optional>

#include "base/hash.h"
#include "gotemplate/internal/format.h"

namespace portico::gotemplate::internal {

using json::Value;
using Arguments = std::span<const Value>;

namespace {

std::string text_of(Arguments arguments) {
  return arguments.size() == 1 && arguments[0].is_string() ? std::string(arguments[0].as_string())
                                                           : sprint(arguments);
}

Result<Value> both(Arguments all) {
  for (const Value& each : all)
    if (!truth(each)) return each;
  return all.back();
}
Result<Value> either(Arguments all) {
  for (const Value& each : all)
    if (truth(each)) return each;
  return all.back();
}
Result<Value> negated(Arguments all) { return Value(!truth(all[0])); }

std::size_t characters(const Value& value) {
  return value.is_string() ? value.as_string().size() : value.size();
}
Result<Value> length(Arguments all) {
  const Value& of = all[0];
  if (!of.is_string() && !of.is_array() && !of.is_object())
    return invalid("len of {}", go_text(of));
  return Value(static_cast<std::int64_t>(characters(of)));
}

Result<Value> index(Arguments all) {
  Value at = all[0];
  for (const Value& key : all.subspan(1)) {
    if (at.is_object() && key.is_string()) {
      at = Value(at[key.as_string()]);
    } else if (at.is_array() && key.is_number()) {
      const std::int64_t place = key.as_int();
      if (place < 0 || static_cast<std::size_t>(place) >= at.size())
        return invalid("index out of range: {}", place);
      at = Value(at[static_cast<std::size_t>(place)]);
    } else {
      return invalid("cannot index {} with {}", at.is_null() ? "nil" : go_text(at), go_text(key));
    }
  }
  return at;
}

Result<Value> slice(Arguments all) {
  const Value& of = all[0];
  if (!of.is_string() && !of.is_array()) return invalid("cannot slice {}", go_text(of));
  const auto size = static_cast<std::int64_t>(characters(of));
  const std::int64_t from = all.size() > 1 ? all[1].as_int() : 0;
  const std::int64_t to = all.size() > 2 ? all[2].as_int() : size;
  if (from < 0 || to > size || from > to)
    return invalid("cannot slice {} from {} to {}", go_text(of), from, to);
  const auto first = static_cast<std::size_t>(from), count = static_cast<std::size_t>(to - from);
  if (of.is_string()) return Value(of.as_string().substr(first, count));
  const auto items = of.items().subspan(first, count);
  return Value::array({items.begin(), items.end()});
}

Result<Value> exists(Arguments all) {
  Value at = all[0];
  for (const Value& key : all.subspan(1)) {
    const bool member = at.is_object() && key.is_string() && at.contains(key.as_string());
    const bool item = at.is_array() && key.is_number() && key.as_int() >= 0 &&
                      static_cast<std::size_t>(key.as_int()) < at.size();
    if (!member && !item) return Value(false);
    at = member ? Value(at[key.as_string()]) : Value(at[static_cast<std::size_t>(key.as_int())]);
  }
  return Value(true);
}

// The order of two values of the same type; nullopt if the types differ or have no order.
std::optional<std::partial_ordering> order(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    if (a.is_int() && b.is_int()) return a.as_int() <=> b.as_int();
    return a.as_double() <=> b.as_double();
  }
  if (a.is_string() && b.is_string()) return a.as_string() <=> b.as_string();
  return std::nullopt;
}

Result<bool> equal(const Value& a, const Value& b) {
  if (const auto how = order(a, b)) return *how == std::partial_ordering::equivalent;
  if (a.is_null() || b.is_null()) return a.is_null() && b.is_null();
  if (a.is_array() || a.is_object() || b.is_array() || b.is_object())
    return invalid("non-comparable types: lists and maps cannot be compared");
  if (a.type() != b.type())
    return invalid("incompatible types for comparison: {} and {}", go_text(a), go_text(b));
  return a == b;
}

Result<Value> eq(Arguments all) {
  for (const Value& other : all.subspan(1)) {
    PORTICO_TRY(const bool same, equal(all[0], other));
    if (same) return Value(true);
  }
  return Value(false);
}
Result<Value> ne(Arguments all) {
  PORTICO_TRY(const bool same, equal(all[0], all[1]));
  return Value(!same);
}
template <class Holds>
Result<Value> ordered(Arguments all, Holds holds) {
  const auto how = order(all[0], all[1]);
  if (!how) return invalid("{} and {} cannot be ordered", go_text(all[0]), go_text(all[1]));
  return Value(holds(*how));
}
Result<Value> lt(Arguments all) {
  return ordered(all, [](auto how) { return how < 0; });
}
Result<Value> le(Arguments all) {
  return ordered(all, [](auto how) { return how <= 0; });
}
Result<Value> gt(Arguments all) {
  return ordered(all, [](auto how) { return how > 0; });
}
Result<Value> ge(Arguments all) {
  return ordered(all, [](auto how) { return how >= 0; });
}

Result<Value> printed(Arguments all) { return Value(sprint(all)); }
Result<Value> printed_line(Arguments all) { return Value(sprintln(all)); }
Result<Value> printed_by_format(Arguments all) {
  if (!all[0].is_string()) return invalid("the first argument of printf must be a string");
  return Value(sprintf(all[0].as_string(), all.subspan(1)));
}

Result<Value> html(Arguments all) {
  std::string out;
  for (const char c : text_of(all)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&#34;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\0':
        out += "\xef\xbf\xbd";
        break;
      default:
        out += c;
    }
  }
  return Value(out);
}

Result<Value> js(Arguments all) {
  std::string out;
  for (const char c : text_of(all)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\' || c == '\'' || c == '"')
      out += fmt::format("\\{}", c);
    else if (byte < 0x20 || c == '<' || c == '>' || c == '&' || c == '=')
      out += fmt::format("\\u{:04X}", byte);
    else
      out += c;
  }
  return Value(out);
}

Result<Value> urlquery(Arguments all) {
  std::string out;
  for (const char c : text_of(all)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-_.~").find(c) != std::string_view::npos;
    if (plain)
      out += c;
    else
      out += c == ' ' ? "+" : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return Value(out);
}

Result<Value> base64decode(Arguments all) {
  std::string out;
  if (!all[0].is_string() || !base64_decode(all[0].as_string(), out))
    return invalid("{} is not valid base64", go_text(all[0]));
  return Value(out);
}

struct Function {
  std::string_view name;
  std::size_t least, most;
  Result<Value> (*run)(Arguments);
};
constexpr std::size_t kAny = static_cast<std::size_t>(-1);
constexpr Function kFunctions[] = {
    {"and", 1, kAny, both},
    {"base64decode", 1, 1, base64decode},
    {"eq", 2, kAny, eq},
    {"exists", 1, kAny, exists},
    {"ge", 2, 2, ge},
    {"gt", 2, 2, gt},
    {"html", 1, kAny, html},
    {"index", 1, kAny, index},
    {"js", 1, kAny, js},
    {"le", 2, 2, le},
    {"len", 1, 1, length},
    {"lt", 2, 2, lt},
    {"ne", 2, 2, ne},
    {"not", 1, 1, negated},
    {"or", 1, kAny, either},
    {"print", 0, kAny, printed},
    {"printf", 1, kAny, printed_by_format},
    {"println", 0, kAny, printed_line},
    {"slice", 1, 3, slice},
    {"urlquery", 1, kAny, urlquery},
};

const Function* find(std::string_view name) {
  const auto* at = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                [&](const Function& each) { return each.name == name; });
  return at == std::end(kFunctions) ? nullptr : at;
}

}  // namespace

bool is_function(std::string_view name) { return find(name) != nullptr; }

std::vector<std::string_view> function_names() {
  std::vector<std::string_view> out;
  for (const Function& each : kFunctions) out.push_back(each.name);
  return out;
}

bool truth(const Value& value) {
  switch (value.type()) {
    case Value::Type::kNull:
      return false;
    case Value::Type::kBool:
      return value.as_bool();
    case Value::Type::kString:
      return !value.as_string().empty();
    case Value::Type::kArray:
    case Value::Type::kObject:
      return !value.empty();
    default:
      return value.as_double() != 0;
  }
}

Result<Value> call(std::string_view name, Arguments arguments) {
  const Function* function = find(name);
  if (function == nullptr) return portico::internal("function \"{}\" not defined", name);
  if (arguments.size() < function->least || arguments.size() > function->most)
    return invalid("wrong number of args for {}: want {}{}, got {}", name,
                   function->most == kAny ? "at least " : "", function->least, arguments.size());
  return function->run(arguments);
}

}  // namespace portico::gotemplate::internal
