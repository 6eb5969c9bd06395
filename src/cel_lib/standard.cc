// The standard library: sizes, conversions, strings, times.
#include <fmt/format.h>
#include <re2/re2.h>

#include <cmath>
#include <memory>

#include "base/utf8.h"
#include "cel/numbers.h"
#include "cel/time.h"
#include "cel/utf8.h"
#include "cel_lib/internal/declare.h"
#include "cel_lib/internal/regex.h"
#include "cel_lib/internal/zones.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

using internal::Regex;
using internal::zone_offset;

using cel::Calendar;
using cel::Timestamp;

using Unary = Value (*)(const Value&);

Implementation unary(Unary function) {
  return [function](Args args, Budget&) { return function(args[0]); };
}

Value same(const Value& value) { return value; }

Value to_bool(const Value& text) {
  for (const char* yes : {"1", "t", "T", "true", "TRUE", "True"})
    if (text.text() == yes) return Value(true);
  for (const char* no : {"0", "f", "F", "false", "FALSE", "False"})
    if (text.text() == no) return Value(false);
  return Value::error(
      fmt::format("type conversion error from 'string' to 'bool': \"{}\"", text.text()));
}

Value conversion_error(const Value& value, std::string_view type) {
  return Value::error(fmt::format("type conversion error from {} to '{}'", cel::show(value), type));
}

Value to_int(const Value& value) {
  switch (value.kind()) {
    case Kind::kUint:
      if (value.as_uint() >= std::uint64_t{1} << 63) return Value::error("integer overflow");
      return Value(static_cast<std::int64_t>(value.as_uint()));
    case Kind::kDouble:
      if (!(value.as_double() > -0x1p63 && value.as_double() < 0x1p63))
        return Value::error("integer overflow");
      return Value(static_cast<std::int64_t>(value.as_double()));
    case Kind::kString:
      if (const auto number = cel::read_int(value.text())) return Value(*number);
      return conversion_error(value, "int");
    case Kind::kTimestamp:
      return Value(value.as_timestamp().seconds);
    case Kind::kDuration:
      return Value(value.as_duration() / 1'000'000'000);
    default:
      return value;
  }
}

Value to_uint(const Value& value) {
  switch (value.kind()) {
    case Kind::kInt:
      if (value.as_int() < 0) return Value::error("unsigned integer overflow");
      return Value(static_cast<std::uint64_t>(value.as_int()));
    case Kind::kDouble:
      if (!(value.as_double() >= 0 && value.as_double() < 0x1p64))
        return Value::error("unsigned integer overflow");
      return Value(static_cast<std::uint64_t>(value.as_double()));
    case Kind::kString:
      if (const auto number = cel::read_uint(value.text())) return Value(*number);
      return conversion_error(value, "uint");
    default:
      return value;
  }
}

Value to_double(const Value& value) {
  if (value.is(Kind::kInt)) return Value(static_cast<double>(value.as_int()));
  if (value.is(Kind::kUint)) return Value(static_cast<double>(value.as_uint()));
  if (const auto number = cel::read_double(value.text())) return Value(*number);
  return conversion_error(value, "double");
}

Value to_string(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
      return Value::string(value.as_bool() ? "true" : "false");
    case Kind::kInt:
      return Value::string(fmt::format("{}", value.as_int()));
    case Kind::kUint:
      return Value::string(fmt::format("{}", value.as_uint()));
    case Kind::kDouble:
      return Value::string(cel::double_text(value.as_double()));
    case Kind::kTimestamp:
      return Value::string(cel::timestamp_text(value.as_timestamp()));
    case Kind::kDuration:
      return Value::string(cel::duration_text(value.as_duration()));
    case Kind::kBytes:
      if (!is_utf8(value.text()))
        return Value::error("invalid UTF-8 in bytes, cannot convert to string");
      return Value::string(value.text());
    default:
      return value;
  }
}

Value to_timestamp(const Value& value) {
  return value.is(Kind::kInt) ? cel::timestamp_of(value.as_int(), 0)
                              : cel::parse_timestamp(value.text());
}

Function conversion(std::string name, Type result, const std::vector<TypeKind>& from,
                    Unary function) {
  Function out{std::move(name), {}};
  out.overloads.push_back({out.name + "_to_self", {result}, result, false, unary(same), {}});
  for (const TypeKind kind : from)
    out.overloads.push_back({std::string(Type(kind).text()) + "_to_" + out.name,
                             {kind},
                             result,
                             false,
                             unary(function),
                             {}});
  return out;
}

std::vector<Function> conversions() {
  using K = TypeKind;
  return {
      conversion("bool", K::kBool, {K::kString}, to_bool),
      conversion("int", K::kInt, {K::kUint, K::kDouble, K::kString, K::kTimestamp, K::kDuration},
                 to_int),
      conversion("uint", K::kUint, {K::kInt, K::kDouble, K::kString}, to_uint),
      conversion("double", K::kDouble, {K::kInt, K::kUint, K::kString}, to_double),
      conversion("string", K::kString,
                 {K::kBool, K::kInt, K::kUint, K::kDouble, K::kBytes, K::kTimestamp, K::kDuration},
                 to_string),
      conversion("bytes", K::kBytes, {K::kString},
                 [](const Value& value) { return Value::bytes(value.text()); }),
      conversion("timestamp", K::kTimestamp, {K::kString, K::kInt}, to_timestamp),
      conversion("duration", K::kDuration, {K::kString},
                 [](const Value& value) { return cel::parse_duration(value.text()); }),
  };
}

Function both_ways(std::string name, const std::vector<Type>& types, Unary function) {
  Function out{std::move(name), {}};
  for (const bool member : {false, true})
    for (const Type& type : types)
      out.overloads.push_back({out.name + (member ? "_of_" : "_") + type.text(),
                               {type},
                               TypeKind::kInt,
                               member,
                               unary(function),
                               {}});
  return out;
}

template <class Test>
Function text_test(std::string name, Test test) {
  Function out{std::move(name), {}};
  out.overloads.push_back({out.name + "_string",
                           {TypeKind::kString, TypeKind::kString},
                           TypeKind::kBool,
                           true,
                           [test](Args args, Budget&) {
                             return Value(static_cast<bool>(test(args[0].text(), args[1].text())));
                           },
                           {}});
  return out;
}

Value match(const Regex& regex, const Value& text, Budget& budget) {
  if (!budget.spend_for(text.text().size() * regex.cost_factor())) return budget.exhausted();
  return Value(
      RE2::PartialMatch(re2::StringPiece(text.text().data(), text.text().size()), regex.re()));
}

Function matches() {
  const Implementation plain = [](Args args, Budget& budget) {
    const Regex regex(args[1].text());
    return regex.ok() ? match(regex, args[0], budget) : Value::error(regex.error());
  };
  const Preparation prepare = [](std::span<const Value* const> args) -> Implementation {
    if (args[1] == nullptr) return {};
    auto regex = std::make_shared<const Regex>(args[1]->text());
    if (!regex->ok()) return {};
    return [regex](Args values, Budget& budget) { return match(*regex, values[0], budget); };
  };
  const std::vector<Type> params = {TypeKind::kString, TypeKind::kString};
  return {"matches",
          {{"matches", params, TypeKind::kBool, false, plain, prepare},
           {"matches_string", params, TypeKind::kBool, true, plain, prepare}}};
}

using Part = std::int64_t (*)(const Calendar& at, std::int32_t nanos);

// getHours() in UTC and getHours(zone).
void add_time_part(std::vector<Function>& to, std::string name, Part part) {
  Function out{std::move(name), {}};
  out.overloads.push_back({"timestamp_" + out.name,
                           {TypeKind::kTimestamp},
                           TypeKind::kInt,
                           true,
                           [part](Args args, Budget&) {
                             const Timestamp time = args[0].as_timestamp();
                             return Value(part(cel::calendar_of(time.seconds), time.nanos));
                           },
                           {}});
  out.overloads.push_back({"timestamp_" + out.name + "_with_tz",
                           {TypeKind::kTimestamp, TypeKind::kString},
                           TypeKind::kInt,
                           true,
                           [part](Args args, Budget&) {
                             const Timestamp time = args[0].as_timestamp();
                             const auto offset = zone_offset(args[1].text(), time.seconds);
                             if (!offset) return Value::error(offset.error().what);
                             return Value(
                                 part(cel::calendar_of(time.seconds + *offset), time.nanos));
                           },
                           {}});
  to.push_back(std::move(out));
}

void add_duration_part(std::vector<Function>& to, std::string_view name, std::int64_t unit,
                       std::int64_t modulus) {
  for (Function& function : to) {
    if (function.name != name) continue;
    function.overloads.push_back({"duration_" + function.name,
                                  {TypeKind::kDuration},
                                  TypeKind::kInt,
                                  true,
                                  [unit, modulus](Args args, Budget&) {
                                    return Value(args[0].as_duration() % modulus / unit);
                                  },
                                  {}});
  }
}

std::vector<Function> time_functions() {
  std::vector<Function> out;
  add_time_part(out, "getFullYear", [](const Calendar& at, std::int32_t) { return at.year; });
  add_time_part(out, "getMonth",
                [](const Calendar& at, std::int32_t) { return std::int64_t{at.month - 1}; });
  add_time_part(out, "getDayOfYear",
                [](const Calendar& at, std::int32_t) { return std::int64_t{at.day_of_year}; });
  add_time_part(out, "getDayOfMonth",
                [](const Calendar& at, std::int32_t) { return std::int64_t{at.day - 1}; });
  add_time_part(out, "getDate",
                [](const Calendar& at, std::int32_t) { return std::int64_t{at.day}; });
  add_time_part(out, "getDayOfWeek",
                [](const Calendar& at, std::int32_t) { return std::int64_t{at.weekday}; });
  add_time_part(out, "getHours",
                [](const Calendar& at, std::int32_t) { return std::int64_t{at.hour}; });
  add_time_part(out, "getMinutes",
                [](const Calendar& at, std::int32_t) { return std::int64_t{at.minute}; });
  add_time_part(out, "getSeconds",
                [](const Calendar& at, std::int32_t) { return std::int64_t{at.second}; });
  add_time_part(out, "getMilliseconds", [](const Calendar&, std::int32_t nanos) {
    return std::int64_t{nanos / 1'000'000};
  });
  constexpr std::int64_t kSecond = 1'000'000'000;
  constexpr std::int64_t kWhole = std::numeric_limits<std::int64_t>::max();
  add_duration_part(out, "getHours", 3600 * kSecond, kWhole);
  add_duration_part(out, "getMinutes", 60 * kSecond, kWhole);
  add_duration_part(out, "getSeconds", kSecond, kWhole);
  // The fraction of a second, as for timestamps.
  add_duration_part(out, "getMilliseconds", 1'000'000, kSecond);
  return out;
}

}  // namespace

Library standard() {
  Library out;
  out.name = "standard";
  out.functions = conversions();
  for (Function& each : time_functions()) out.functions.push_back(std::move(each));
  const Type list = Type::list(Type::param("A"));
  const Type map = Type::map(Type::param("A"), Type::param("B"));
  out.functions.push_back(both_ways(
      "size", {TypeKind::kString, TypeKind::kBytes, list, map},
      [](const Value& value) { return Value(static_cast<std::int64_t>(cel::size_of(value))); }));
  using Text = std::string_view;
  out.functions.push_back(
      text_test("contains", [](Text a, Text b) { return a.find(b) != Text::npos; }));
  out.functions.push_back(text_test("startsWith", [](Text a, Text b) { return a.starts_with(b); }));
  out.functions.push_back(text_test("endsWith", [](Text a, Text b) { return a.ends_with(b); }));
  out.functions.push_back(matches());
  out.functions.push_back(
      {"type",
       {{"type",
         {Type::param("A")},
         Type::type_of(Type::param("A")),
         false,
         unary([](const Value& value) { return Value::type(value.type_name()); }),
         {}}}});
  out.functions.push_back(
      {"dyn", {{"to_dyn", {Type::param("A")}, Type(), false, unary(same), {}}}});
  return out;
}

}  // namespace portico::cel_lib
