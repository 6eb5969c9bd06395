// How the values of a kind are merged: which maps and lists are owned as a whole, and by what the
// items of the others are known.
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
  std::optional<json::Value> default_value = {};  // for keys of lists
};

/// One value. It may have several forms where a schema leaves it open; the value decides.
struct Type {
  enum class Scalar : std::uint8_t { kNone, kAny, kString, kNumber, kBoolean };
  enum class List : std::uint8_t { kNone, kAtomic, kSet, kKeyed };

  Scalar scalar = Scalar::kNone;

  bool is_map = false;
  bool is_atomic_map = false;
  std::vector<Field> fields;         // by name
  const Type* additional = nullptr;  // of members that are not declared; nullptr: there are none

  List list = List::kNone;
  const Type* items = nullptr;
  std::vector<std::string> keys;  // of kKeyed, sorted

  const Field* field(std::string_view name) const;
  /// Of a declared or another member; nullptr where there is none of that name.
  const Type* member(std::string_view name) const;
};

/// Of a value of which nothing is known: members of maps are owned one by one, lists as a whole.
const Type& free_type();

/// The type of the objects of a kind in one version: const and shared, for any thread.
class ObjectType {
 public:
  /// No schema: maps by member, lists as a whole; metadata as in every kind.
  ObjectType();
  /// By Kubernetes' rules for definitions: lists are atomic unless list-type says otherwise, maps
  /// granular unless map-type does; a map without any declared member is free. apiVersion, kind and
  /// metadata are those of every kind, also in embedded resources.
  explicit ObjectType(const schema::Schema& schema);

  const Type& root() const { return *root_; }

 private:
  std::shared_ptr<const std::vector<std::unique_ptr<Type>>> types_;
  const Type* root_ = nullptr;
};

}  // namespace portico::fieldset
