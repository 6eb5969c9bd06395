// The owners of an object's fields: metadata.managedFields as a value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fieldset/set.h"
#include "json/value.h"

namespace portico::fieldset {

/// Who a manager is. Of one name there may be several: one that applies, and one for each version
/// and subresource through which it updates.
struct ManagerId {
  std::string manager;
  bool applies = false;
  std::string api_version = {};  // "" where it applies: there it has one entry for all versions
  std::string subresource = {};
  auto operator<=>(const ManagerId&) const = default;

  /// As conflicts name it: `"carol" with subresource "status" using v1`.
  std::string text() const;
};

/// A set of fields, as a set or as it is written (FieldsV1): the other form is made when it is
/// asked for. Not to be asked by two threads at once.
class OwnedFields {
 public:
  OwnedFields() = default;
  OwnedFields(Set set) : set_(std::move(set)) {}
  /// As to_fields writes them; what cannot be read counts as nothing.
  static OwnedFields written_as(json::Value fields);

  const Set& set() const;
  const json::Value& written() const;
  bool empty() const { return set_ ? set_->empty() : written_->empty(); }

 private:
  // At least one of them is there.
  mutable std::optional<Set> set_ = Set();
  mutable std::optional<json::Value> written_;
};

/// What a manager owns, in the fields of a version; and when it last changed the object.
struct Manager {
  ManagerId id;
  std::string api_version;
  OwnedFields fields;
  std::optional<std::string> time = {};  // RFC 3339
};

/// By id.
class Managers {
 public:
  bool empty() const { return all_.empty(); }
  const std::vector<Manager>& all() const { return all_; }

  Manager* find(const ManagerId& id);
  const Manager* find(const ManagerId& id) const;
  /// In place of the one of its id.
  void put(Manager manager);
  void remove(const ManagerId& id);
  void remove_empty();

 private:
  std::vector<Manager> all_;
};

/// From metadata.managedFields; null is none. kInvalid for an operation other than Apply and
/// Update, no apiVersion, another fieldsType than FieldsV1, and fields that cannot be read.
Result<Managers> parse_managers(const json::Value& managed_fields);
/// From managedFields that to_value wrote, whose fields are read when they are needed.
Result<Managers> stored_managers(const json::Value& managed_fields);

/// Entries by operation, time in seconds, name, version and subresource; null where there is none.
json::Value to_value(const Managers& managers);

/// The managers by Update that are too many (Kubernetes keeps ten entries): the oldest are put
/// together, by version, under the name ancient-changes.
void cap_updates(Managers& managers);

}  // namespace portico::fieldset
