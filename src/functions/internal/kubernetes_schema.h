// The schemas of the built-in Kubernetes kinds: fields, types, required fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "functions/internal/kubernetes_schema_table.h"
#include "krm/object.h"

namespace portico::functions {

/// A place in a schema. A value type, valid for the whole run of the program.
class Schema {
 public:
  /// nullopt for kinds that are not built into Kubernetes, and for versions that no release since
  /// 1.25 serves.
  static std::optional<Schema> find(std::string_view api_version, std::string_view kind);
  /// The newest supported Kubernetes release: "1.37".
  static std::string_view release() { return kubernetes_schema_table().release; }

  SchemaType type() const { return node_->type; }
  /// The schema of a struct's field or of a map's values; nullopt if the field is unknown.
  std::optional<Schema> field(std::string_view name) const;
  /// The schema of a list's items.
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

/// Checks types and required fields of `value`; with `strict`, also reports fields that no schema
/// has. The errors of a map itself come first, then those of its members, by name.
std::vector<SchemaError> check(const Schema& schema, const json::Value& value, bool strict);

}  // namespace portico::functions
