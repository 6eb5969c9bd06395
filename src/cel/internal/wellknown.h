// The few protobuf messages that CEL knows as its own values: wrappers, Struct, Timestamp, ...
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/type.h"
#include "cel/value.h"

namespace portico::cel::internal {

struct MessageField {
  std::string_view name;
  Type type;
};

struct MessageType {
  std::string_view name;
  Type type;  // what a literal of it is: wrapper(int), map(string, dyn), timestamp
  std::vector<MessageField> fields;
};

/// nullptr where `name` is none of them.
const MessageType* find_message(std::string_view name);

/// message(google.protobuf.Int32Value) is wrapper(int), and so on, inside compound types too.
Type canonical(const Type& type);

struct FieldValue {
  std::string_view name;
  Value value;
};

/// The value of a literal; an error value where a field is out of range or of another kind.
Value make_message(const MessageType& message, std::span<const FieldValue> fields);

}  // namespace portico::cel::internal
