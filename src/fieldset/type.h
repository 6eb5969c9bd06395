// How values of a kind are merged: which maps and lists are owned as a whole, and how the items of
// the others are identified.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "schema/schema.h"

namespace portico::fieldset {

struct Type;

/// A declared member of a map.
struct Field {
  std::string name;
  const Type* type = nullptr;
  std::optional<json::Value> default_value = {};  // for list keys
};

/// The type of a value. It may allow several forms if the schema does; the value then decides.
struct Type {
  enum class Scalar : std::uint8_t { kNone, kAny, kString, kNumber, kBoolean };
  enum class List : std::uint8_t { kNone, kAtomic, kSet, kKeyed };

  Scalar scalar = Scalar::kNone;

  bool is_map = false;
  bool is_atomic_map = false;
  std::vector<Field> fields;         // sorted by name
  const Type* additional = nullptr;  // type of undeclared members; nullptr: not allowed

  List list = List::kNone;
  const Type* items = nullptr;
  std::vector<std::string> keys;  // for kKeyed, sorted

  const Field* field(std::string_view name) const;
  /// The type of a declared or additional member; nullptr if no such member is allowed.
  const Type* member(std::string_view name) const;
};

/// The type of values without a schema: maps are owned per member, lists as a whole.
const Type& free_type();

/// The type of a kind's objects in one version; const, shared and thread-safe.
class ObjectType {
 public:
  /// Without a schema: maps per member, lists as a whole, standard metadata.
  ObjectType();
  /// Follows Kubernetes' rules for definitions: lists are atomic unless list-type says otherwise,
  /// maps are granular unless map-type says otherwise; a map without declared members is free.
  /// apiVersion, kind and metadata are standard, also in embedded resources.
  explicit ObjectType(const schema::Schema& schema);

  const Type& root() const { return *root_; }

 private:
  std::shared_ptr<const std::vector<std::unique_ptr<Type>>> types_;
  const Type* root_ = nullptr;
};

}  // namespace portico::fieldset
