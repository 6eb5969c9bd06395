// The schemas of the built-in Kubernetes kinds as data (kubernetes_schema_table.cc is generated).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace portico::functions {

enum class SchemaType : std::uint8_t {
  kAny,
  kString,
  kInteger,
  kNumber,
  kBoolean,
  kIntOrString,
  kQuantity,  // a string or number
  kArray,     // `ref`: the node of its items
  kMap,       // `ref`: the node of its values
  kStruct,    // `ref`: the struct
};

struct SchemaNode {
  SchemaType type;
  bool nullable;
  std::uint16_t ref;
};
struct SchemaField {
  std::string_view name;
  std::uint16_t node;
  bool required;
};
/// A run of fields, sorted by name.
struct SchemaStruct {
  std::uint16_t first, count;
};
struct SchemaKind {
  std::string_view api_version, kind;
  std::uint16_t node;
};

struct SchemaTable {
  std::string_view release;           // of Kubernetes: "1.37"
  std::span<const SchemaKind> kinds;  // sorted by API version, then kind
  std::span<const SchemaNode> nodes;
  std::span<const SchemaStruct> structs;
  std::span<const SchemaField> fields;
};
const SchemaTable& kubernetes_schema_table();

}  // namespace portico::functions
