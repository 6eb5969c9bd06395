// Structural schemas: what the objects of a kind look like, as CustomResourceDefinitions say it.
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

/// x-kubernetes-list-type; without one a list is atomic.
enum class ListType : std::uint8_t { kUnset, kAtomic, kSet, kMap };
/// x-kubernetes-map-type; without one a map is granular.
enum class MapType : std::uint8_t { kUnset, kGranular, kAtomic };

/// One of x-kubernetes-validations: an expression that must be true of the value.
struct Rule {
  std::string rule, message, message_expression, reason, field_path;
  bool optional_old_self = false;
};

struct Node;

/// A schema, or none: a pointer that can be copied. What it points to is const and shared, so any
/// thread may use one.
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

/// One schema, at the root or at any depth. Inside allOf, anyOf, oneOf and not it holds value
/// validations only.
struct Node {
  Type type = Type::kAny;
  bool nullable = false;
  bool preserve_unknown_fields = false;  // of this object alone; objects below have their own
  bool embedded_resource = false;
  bool int_or_string = false;
  bool exclusive_minimum = false, exclusive_maximum = false, unique_items = false;
  ListType list_type = ListType::kUnset;
  MapType map_type = MapType::kUnset;
  /// False only where `additionalProperties: false` says so.
  bool additional_allowed = true;
  /// Whether there is a default here or below: without one there is nothing to fill in.
  bool has_defaults = false;
  /// Whether there are rules here or below.
  bool has_rules = false;

  std::string format, pattern;
  std::shared_ptr<const re2::RE2> regex;  // of `pattern`; null where it is empty or no pattern
  std::optional<double> minimum, maximum, multiple_of;
  std::optional<std::int64_t> min_length, max_length, min_items, max_items;
  std::optional<std::int64_t> min_properties, max_properties;
  std::vector<json::Value> values;  // enum
  std::vector<std::string> required;
  std::vector<std::string> list_keys;        // x-kubernetes-list-map-keys
  std::optional<json::Value> default_value;  // `default: null` is none

  std::vector<Property> properties;  // by name
  Schema items;
  Schema additional;  // additionalProperties, where it is a schema
  std::vector<Schema> all_of, any_of, one_of;
  Schema negated;  // not
  std::vector<Rule> rules;

  /// What was read, with all that has no field above: title, description, example, ...
  json::Value source;

  /// The schema of a property, or nullptr; that of additionalProperties is not looked at.
  const Node* property(std::string_view name) const;
  /// The schema that a member of an object has: its property's, else additionalProperties', else
  /// nullptr.
  const Node* member(std::string_view name) const;
};

/// How deep schemas may be nested in one another.
inline constexpr int kMaxDepth = 120;

/// From the value of `openAPIV3Schema`. kInvalid where a member has the wrong type, as its decoding
/// from JSON would fail; what may not stand in a structural schema is read, and found by
/// structural_causes(). Unknown members are ignored.
Result<Schema> parse(const json::Value& value);

/// As a stored definition has it: parse(), then structural_causes() with `path`. kInvalid with all
/// causes, which are Kubernetes' (apiextensions.k8s.io/v1) in text and place.
Result<Schema> read(const json::Value& value,
                    std::string_view path = "spec.validation.openAPIV3Schema");

}  // namespace portico::schema
