#include "json/text.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "json/internal/careful_parser.h"
#include "json/internal/text_writer.h"

namespace portico::json {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

/// Converts simdjson's result to Values. Keys too long to be inline are shared within one text.
class Converter {
 public:
  Value convert(const element& from) {
    switch (from.type()) {
      case element_type::ARRAY: {
        const simdjson::dom::array source = from.get_array().value_unsafe();
        std::vector<Value> items;
        items.reserve(source.size());
        for (const element item : source) items.push_back(convert(item));
        return Value::array(std::move(items));
      }
      case element_type::OBJECT: {
        const simdjson::dom::object source = from.get_object().value_unsafe();
        std::vector<Member> members;
        members.reserve(source.size());
        for (const auto field : source) members.push_back({key(field.key), convert(field.value)});
        return Value::object(std::move(members));
      }
      case element_type::INT64:
        return Value(std::int64_t(from.get_int64().value_unsafe()));
      case element_type::UINT64:
        return Value(std::uint64_t(from.get_uint64().value_unsafe()));
      case element_type::DOUBLE:
        return Value(from.get_double().value_unsafe());
      case element_type::STRING:
        return Value(from.get_string().value_unsafe());
      case element_type::BOOL:
        return Value(from.get_bool().value_unsafe());
      case element_type::NULL_VALUE:
        return Value();
    }
    return Value();
  }

 private:
  Value key(std::string_view name) {
    if (name.size() <= kSharedKey) return Value(name);
    const auto at = std::lower_bound(
        keys_.begin(), keys_.end(), name,
        [](const Value& known, std::string_view wanted) { return known.as_string() < wanted; });
    if (at != keys_.end() && at->as_string() == name) return *at;
    if (keys_.size() < kMostKeys) return *keys_.insert(at, Value(name));
    return Value(name);
  }

  static constexpr std::size_t kSharedKey = 15, kMostKeys = 64;
  std::vector<Value> keys_;  // sorted
};

void append_double(TextWriter& out, double value) {
  if (!std::isfinite(value)) return out.put("null");
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  const std::string_view digits(text, static_cast<std::size_t>(end - text));
  out.put(digits);
  // Otherwise 1.0 would be read back as an integer.
  if (digits.find_first_of(".en") == std::string_view::npos) out.put(".0");
}

void append(TextWriter& out, const Value& value, int indent, int level) {
  const auto newline = [&](int at) {
    if (indent == 0) return;
    out.put('\n');
    out.fill(static_cast<std::size_t>(indent) * static_cast<std::size_t>(at), ' ');
  };
  switch (value.type()) {
    case Value::Type::kNull:
      return out.put("null");
    case Value::Type::kBool:
      return out.put(value.as_bool() ? "true" : "false");
    case Value::Type::kInt:
      return out.put(value.as_int());
    case Value::Type::kUint:
      return out.put(value.as_uint());
    case Value::Type::kDouble:
      return append_double(out, value.as_double());
    case Value::Type::kString:
      return out.quoted(value.as_string());
    case Value::Type::kArray: {
      out.put('[');
      bool first = true;
      for (const Value& item : value.items()) {
        if (!first) out.put(',');
        first = false;
        newline(level + 1);
        append(out, item, indent, level + 1);
      }
      if (!first) newline(level);
      return out.put(']');
    }
    case Value::Type::kObject: {
      out.put('{');
      bool first = true;
      for (const Member& member : value.members()) {
        if (!first) out.put(',');
        first = false;
        newline(level + 1);
        out.quoted(member.name());
        out.put(indent == 0 ? std::string_view(":") : std::string_view(": "));
        append(out, member.value, indent, level + 1);
      }
      if (!first) newline(level);
      return out.put('}');
    }
  }
}

bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

// Most texts are short and plain ASCII: checking for that is cheaper than the call.
bool is_utf8(std::string_view text) {
  constexpr std::size_t kShort = 32;
  return (text.size() <= kShort && is_ascii(text)) ||
         simdjson::validate_utf8(text.data(), text.size());
}

Result<Done> check_below(const Value& value, int levels_left) {
  switch (value.type()) {
    case Value::Type::kString:
      if (!is_utf8(value.as_string())) return invalid("the string is not UTF-8");
      return Done{};
    case Value::Type::kDouble:
      if (!std::isfinite(value.as_double()))
        return invalid("{} cannot be represented in JSON", value.as_double());
      return Done{};
    case Value::Type::kArray: {
      if (levels_left == 0) return invalid("the value is nested too deeply");
      std::size_t index = 0;
      for (const Value& item : value.items()) {
        PORTICO_DO(check_below(item, levels_left - 1), "[" + std::to_string(index) + "]");
        ++index;
      }
      return Done{};
    }
    case Value::Type::kObject:
      if (levels_left == 0) return invalid("the value is nested too deeply");
      for (const Member& member : value.members()) {
        if (!is_utf8(member.name())) return invalid("a member name is not UTF-8");
        PORTICO_DO(check_below(member.value, levels_left - 1), std::string(member.name()));
      }
      return Done{};
    default:
      return Done{};
  }
}

}  // namespace

Result<Done> check_printable(const Value& value, const ParseLimits& limits) {
  return check_below(value, limits.depth);
}

Result<Value> parse(std::string_view text, const ParseLimits& limits) {
  if (text.size() > limits.bytes)
    return invalid("{} bytes of JSON, more than the limit of {}", text.size(), limits.bytes);
  // simdjson copies from the text even if it is empty, which is undefined for a null pointer.
  if (text.data() == nullptr) text = "";
  simdjson::dom::parser parser(limits.bytes + 1);
  if (const auto error = parser.allocate(text.size() + 1, static_cast<std::size_t>(limits.depth));
      error != simdjson::SUCCESS)
    return internal("cannot allocate memory for {} bytes of JSON", text.size());
  element root;
  // simdjson does not report where it stopped, and does not read integers beyond 64 bits.
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS)
    return parse_carefully(text, limits);
  return Converter().convert(root);
}

void append_quoted(std::string& out, std::string_view text) { TextWriter(out).quoted(text); }

namespace {

constexpr std::size_t kFirstRoom = 256;  // objects are larger; avoids the first few growths

}  // namespace

std::string print(const Value& value) { return print_pretty(value, 0); }

std::string print_pretty(const Value& value, int indent) {
  std::string out;
  out.reserve(kFirstRoom);
  {
    TextWriter writer(out);
    append(writer, value, indent, 0);
  }
  return out;
}

}  // namespace portico::json
