// Structural schemas: the structure of a kind's objects, as in CustomResourceDefinitions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace re2 {
class RE2;
}

namespace portico::schema {

enum class Type : std::uint8_t { kAny, kObject, kArray, kString, kInteger, kNumber, kBoolean };
/// "object", "array", ...; "" for kAny.
std::string_view name(Type type);

/// x-kubernetes-list-type; if unset, a list is atomic.
enum class ListType : std::uint8_t { kUnset, kAtomic, kSet, kMap };
/// x-kubernetes-map-type; if unset, a map is granular.
enum class MapType : std::uint8_t { kUnset, kGranular, kAtomic };

/// One of x-kubernetes-validations: an expression that must be true for the value.
struct Rule {
  std::string rule, message, message_expression, reason, field_path;
  bool optional_old_self = false;
};

struct Node;

/// A pointer to a schema, or null. Cheap to copy; the schema is const and shared, hence usable from
/// any thread.
class Schema {
 public:
  Schema() = default;
  explicit Schema(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  explicit operator bool() const { return node_ != nullptr; }
  const Node* operator->() const { return node_.get(); }
  const Node& operator*() const { return *node_; }

 private:
  std::shared_ptr<const Node> node_;
};

struct Property {
  std::string name;
  Schema schema;
};

/// A schema at the root or at any depth. Inside allOf, anyOf, oneOf and not, it contains only value
/// validations.
struct Node {
  Type type = Type::kAny;
  bool nullable = false;
  bool preserve_unknown_fields = false;  // only of this object, not of nested ones
  bool embedded_resource = false;
  bool int_or_string = false;
  bool exclusive_minimum = false, exclusive_maximum = false, unique_items = false;
  ListType list_type = ListType::kUnset;
  MapType map_type = MapType::kUnset;
  /// False only for `additionalProperties: false`.
  bool additional_allowed = true;
  /// Whether this schema or one below it has a default.
  bool has_defaults = false;
  /// Whether this schema or one below it has rules.
  bool has_rules = false;

  std::string format, pattern;
  std::shared_ptr<const re2::RE2> regex;  // of `pattern`; null if that is empty or invalid
  std::optional<double> minimum, maximum, multiple_of;
  std::optional<std::int64_t> min_length, max_length, min_items, max_items;
  std::optional<std::int64_t> min_properties, max_properties;
  std::vector<json::Value> values;  // enum
  std::vector<std::string> required;
  std::vector<std::string> list_keys;        // x-kubernetes-list-map-keys
  std::optional<json::Value> default_value;  // `default: null` is nullopt

  std::vector<Property> properties;  // by name
  Schema items;
  Schema additional;  // additionalProperties, if it is a schema
  std::vector<Schema> all_of, any_of, one_of;
  Schema negated;  // not
  std::vector<Rule> rules;

  /// The parsed value, including members without a field above: title, description, example, ...
  json::Value source;

  /// The schema of a declared property, or nullptr; ignores additionalProperties.
  const Node* property(std::string_view name) const;
  /// The schema of an object's member: that of its property, else additionalProperties, else
  /// nullptr.
  const Node* member(std::string_view name) const;
};

/// Maximum nesting depth of schemas.
inline constexpr int kMaxDepth = 120;

/// Parses the value of `openAPIV3Schema`. kInvalid if a member has the wrong type, like an error of
/// JSON decoding; anything else that is not structural is accepted here and reported by
/// structural_causes(). Unknown members are ignored.
Result<Schema> parse(const json::Value& value);

/// Parses a stored definition's schema: parse(), then structural_causes() with `path`. kInvalid
/// with all causes, with the messages and places of Kubernetes (apiextensions.k8s.io/v1).
Result<Schema> read(const json::Value& value,
                    std::string_view path = "spec.validation.openAPIV3Schema");

}  // namespace portico::schema
