// The protobuf messages that CEL represents as its own values: wrappers, Struct, Timestamp, ...
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
  Type type;  // the type of its literals: wrapper(int), map(string, dyn), timestamp
  std::vector<MessageField> fields;
};

/// nullptr if `name` is not one of these messages.
const MessageType* find_message(std::string_view name);

/// Maps message(google.protobuf.Int32Value) to wrapper(int), and so on, inside compound types too.
Type canonical(const Type& type);

struct FieldValue {
  std::string_view name;
  Value value;
};

/// The value of a literal; an error value if a field is out of range or of another kind.
Value make_message(const MessageType& message, std::span<const FieldValue> fields);

}  // namespace portico::cel::internal
