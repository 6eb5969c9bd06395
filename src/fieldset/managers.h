// The owners of an object's fields: parsed metadata.managedFields.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fieldset/set.h"
#include "json/value.h"

namespace portico::fieldset {

/// Identifies a manager. One name may have several entries: one for apply, and one for each version
/// and subresource through which it updates.
struct ManagerId {
  std::string manager;
  bool applies = false;
  std::string api_version = {};  // "" for apply, which has one entry for all versions
  std::string subresource = {};
  auto operator<=>(const ManagerId&) const = default;

  /// As named in conflicts: `"carol" with subresource "status" using v1`.
  std::string text() const;
};

/// A set of fields, as a Set or in its written form (FieldsV1); converts lazily. Not thread-safe,
/// not even for const access.
class OwnedFields {
 public:
  OwnedFields() = default;
  OwnedFields(Set set) : set_(std::move(set)) {}
  /// From the output of to_fields; fields that cannot be parsed count as empty.
  static OwnedFields written_as(json::Value fields);

  const Set& set() const;
  const json::Value& written() const;
  bool empty() const { return set_ ? set_->empty() : written_->empty(); }

 private:
  // At least one is set.
  mutable std::optional<Set> set_ = Set();
  mutable std::optional<json::Value> written_;
};

/// The fields that a manager owns, in one version, and when it last changed the object.
struct Manager {
  ManagerId id;
  std::string api_version;
  OwnedFields fields;
  std::optional<std::string> time = {};  // RFC 3339
};

/// Managers, sorted by id.
class Managers {
 public:
  bool empty() const { return all_.empty(); }
  const std::vector<Manager>& all() const { return all_; }

  Manager* find(const ManagerId& id);
  const Manager* find(const ManagerId& id) const;
  /// Replaces the manager with the same id, if any.
  void put(Manager manager);
  void remove(const ManagerId& id);
  void remove_empty();

 private:
  std::vector<Manager> all_;
};

/// Parses metadata.managedFields; null means none. kInvalid for an operation other than Apply and
/// Update, a missing apiVersion, a fieldsType other than FieldsV1, and invalid fields.
Result<Managers> parse_managers(const json::Value& managed_fields);
/// From managedFields written by to_value; parses the fields lazily.
Result<Managers> stored_managers(const json::Value& managed_fields);

/// Sorted by operation, time in seconds, name, version and subresource; null if there are none.
json::Value to_value(const Managers& managers);

/// Limits the number of Update managers (Kubernetes keeps ten entries): merges the oldest ones, per
/// version, into one named ancient-changes.
void cap_updates(Managers& managers);

}  // namespace portico::fieldset
