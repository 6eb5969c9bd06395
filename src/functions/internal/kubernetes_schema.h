// What Kubernetes knows about its own kinds: the fields, their types, which are required.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "functions/internal/kubernetes_schema_table.h"
#include "krm/object.h"

namespace portico::functions {

/// A place in a schema. A value; valid for ever.
class Schema {
 public:
  /// Nothing for kinds that are not Kubernetes' own, and for versions that no release from 1.25 on
  /// serves.
  static std::optional<Schema> find(std::string_view api_version, std::string_view kind);
  /// The newest release of Kubernetes that is covered: "1.37".
  static std::string_view release() { return kubernetes_schema_table().release; }

  SchemaType type() const { return node_->type; }
  /// Of a struct's field, or a map's values; nothing where there is none of that name.
  std::optional<Schema> field(std::string_view name) const;
  /// Of a list.
  std::optional<Schema> items() const;

 private:
  friend class SchemaCheck;
  explicit Schema(const SchemaNode& node) : node_(&node) {}
  static Schema at(std::uint16_t node) { return Schema(kubernetes_schema_table().nodes[node]); }
  std::span<const SchemaField> fields() const;

  const SchemaNode* node_;
};

struct SchemaError {
  krm::Path path;
  std::string message;  // as JSON schema validators word it
};

/// What is wrong with `value`: types and required fields, in `strict` also fields that no schema
/// has. Of each map its own errors come first, then those of its members by name.
std::vector<SchemaError> check(const Schema& schema, const json::Value& value, bool strict);

}  // namespace portico::functions
