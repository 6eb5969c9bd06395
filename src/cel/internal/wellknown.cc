#include "cel/internal/wellknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cel/time.h"

namespace portico::cel::internal {
namespace {

std::vector<MessageType> make_messages() {
  const Type json_map = Type::map(TypeKind::kString, Type());
  const Type json_list = Type::list(Type());
  const std::vector<MessageField> time = {{"seconds", TypeKind::kInt}, {"nanos", TypeKind::kInt}};
  const auto wrapper = [](std::string_view name, TypeKind kind) {
    return MessageType{name, Type::wrapper(kind), {{"value", kind}}};
  };
  return {wrapper("google.protobuf.BoolValue", TypeKind::kBool),
          wrapper("google.protobuf.BytesValue", TypeKind::kBytes),
          wrapper("google.protobuf.DoubleValue", TypeKind::kDouble),
          wrapper("google.protobuf.FloatValue", TypeKind::kDouble),
          wrapper("google.protobuf.Int32Value", TypeKind::kInt),
          wrapper("google.protobuf.Int64Value", TypeKind::kInt),
          wrapper("google.protobuf.StringValue", TypeKind::kString),
          wrapper("google.protobuf.UInt32Value", TypeKind::kUint),
          wrapper("google.protobuf.UInt64Value", TypeKind::kUint),
          {"google.protobuf.Timestamp", TypeKind::kTimestamp, time},
          {"google.protobuf.Duration", TypeKind::kDuration, time},
          {"google.protobuf.Struct", json_map, {{"fields", json_map}}},
          {"google.protobuf.ListValue", json_list, {{"values", json_list}}},
          {"google.protobuf.Value",
           Type(),
           {{"null_value", TypeKind::kInt},
            {"number_value", TypeKind::kDouble},
            {"string_value", TypeKind::kString},
            {"bool_value", TypeKind::kBool},
            {"struct_value", json_map},
            {"list_value", json_list}}},
          {"google.protobuf.Any",
           TypeKind::kAny,
           {{"type_url", TypeKind::kString}, {"value", TypeKind::kBytes}}}};
}

const std::vector<MessageType>& messages() {
  static const std::vector<MessageType> kMessages = make_messages();
  return kMessages;
}

Value range_error(std::string_view message) {
  return Value::error(fmt::format("range error converting to {}", message));
}

Value make_wrapper(const MessageType& message, const Value* given) {
  const TypeKind kind = message.type.param(0).kind();
  if (given == nullptr) {
    switch (kind) {
      case TypeKind::kBool:
        return Value(false);
      case TypeKind::kInt:
        return Value(std::int64_t{0});
      case TypeKind::kUint:
        return Value(std::uint64_t{0});
      case TypeKind::kDouble:
        return Value(0.0);
      case TypeKind::kString:
        return Value::string("");
      default:
        return Value::bytes("");
    }
  }
  if (message.name.ends_with("UInt32Value") &&
      given->as_uint() > std::numeric_limits<std::uint32_t>::max())
    return range_error(message.name);
  if (message.name.ends_with(".Int32Value") &&
      given->as_int() != static_cast<std::int32_t>(given->as_int()))
    return range_error(message.name);
  if (message.name.ends_with("FloatValue"))
    return Value(static_cast<double>(static_cast<float>(given->as_double())));
  return *given;
}

// Converts a map or list as JSON would: numbers are doubles, keys strings.
Value to_json(const Value& value, int depth) {
  if (depth > 200) return Value::error("value is nested too deep for JSON");
  switch (value.kind()) {
    case Kind::kNull:
    case Kind::kBool:
    case Kind::kDouble:
    case Kind::kString:
      return value;
    case Kind::kInt:
      return Value(static_cast<double>(value.as_int()));
    case Kind::kUint:
      return Value(static_cast<double>(value.as_uint()));
    case Kind::kList: {
      std::vector<Value> items;
      for (std::size_t i = 0; i < value.as_list().size(); ++i) {
        items.push_back(to_json(value.as_list().at(i), depth + 1));
        if (items.back().is_error()) return items.back();
      }
      return Value::list(std::move(items));
    }
    case Kind::kMap: {
      std::vector<std::pair<Value, Value>> entries;
      for (const Value& key : value.as_map().keys()) {
        if (!key.is(Kind::kString)) return Value::error("bad key type: JSON keys are strings");
        entries.emplace_back(key, to_json(*value.as_map().find(key), depth + 1));
        if (entries.back().second.is_error()) return entries.back().second;
      }
      return Value::map(std::move(entries));
    }
    default:
      return Value::error(fmt::format("no JSON conversion from type '{}'", value.type_name()));
  }
}

bool suits(const Value& value, const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBool:
      return value.is(Kind::kBool);
    case TypeKind::kInt:
      return value.is(Kind::kInt);
    case TypeKind::kUint:
      return value.is(Kind::kUint);
    case TypeKind::kDouble:
      return value.is(Kind::kDouble);
    case TypeKind::kString:
      return value.is(Kind::kString);
    case TypeKind::kBytes:
      return value.is(Kind::kBytes);
    case TypeKind::kList:
      return value.is(Kind::kList);
    case TypeKind::kMap:
      return value.is(Kind::kMap);
    default:
      return true;
  }
}

}  // namespace

const MessageType* find_message(std::string_view name) {
  for (const MessageType& message : messages())
    if (message.name == name) return &message;
  return nullptr;
}

Type canonical(const Type& type) {
  if (type.is(TypeKind::kMessage)) {
    const MessageType* known = find_message(type.name());
    return known == nullptr ? type : known->type;
  }
  if (type.is(TypeKind::kList)) return Type::list(canonical(type.param(0)));
  if (type.is(TypeKind::kMap)) return Type::map(canonical(type.param(0)), canonical(type.param(1)));
  if (type.is(TypeKind::kOpaque) && !type.params().empty()) {
    std::vector<Type> params;
    for (const Type& param : type.params()) params.push_back(canonical(param));
    return Type::opaque(type.name(), std::move(params));
  }
  return type;
}

Value make_message(const MessageType& message, std::span<const FieldValue> fields) {
  std::int64_t seconds = 0;
  std::int64_t nanos = 0;
  const Value* given = nullptr;
  std::string_view given_name;
  for (const FieldValue& field : fields) {
    const auto known =
        std::find_if(message.fields.begin(), message.fields.end(),
                     [&](const MessageField& each) { return each.name == field.name; });
    if (known == message.fields.end())
      return Value::error(fmt::format("no such field: {}", field.name));
    // An unset wrapper and null_value's enum can be written as null.
    if (field.value.is(Kind::kNull)) {
      if (field.name == "null_value") given_name = field.name;
      continue;
    }
    if (!suits(field.value, known->type))
      return Value::error(
          fmt::format("unsupported type conversion from '{}' to the type of field {}",
                      field.value.type_name(), field.name));
    if (field.name == "seconds") seconds = field.value.as_int();
    if (field.name == "nanos") nanos = field.value.as_int();
    given = &field.value;
    given_name = field.name;
  }
  if (message.type.is(TypeKind::kWrapper)) return make_wrapper(message, given);
  if (message.type.is(TypeKind::kTimestamp)) return timestamp_of(seconds, nanos);
  if (message.type.is(TypeKind::kDuration)) return duration_of(seconds, nanos);
  if (message.type.is(TypeKind::kAny))
    return Value::error("conversion error: google.protobuf.Any holds no known message");
  if (message.type.is(TypeKind::kMap))
    return given == nullptr ? Value::map(std::vector<std::pair<Value, Value>>())
                            : to_json(*given, 0);
  if (message.type.is(TypeKind::kList))
    return given == nullptr ? Value::list(std::vector<Value>()) : to_json(*given, 0);
  return given == nullptr || given_name == "null_value" ? Value() : to_json(*given, 0);
}

}  // namespace portico::cel::internal
