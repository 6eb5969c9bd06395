// The part of apply and track that computes owners, versions and conflicts. It does not handle
// annotations, times or metadata.
#pragma once

#include <vector>

#include "base/result.h"
#include "fieldset/apply.h"
#include "fieldset/managers.h"
#include "fieldset/typed.h"
#include "json/value.h"

namespace portico::fieldset::internal {

/// A field to be changed, and the manager that owns it.
struct Conflict {
  ManagerId manager;
  Path path;
};

/// kConflict with Kubernetes' message and one cause for each conflict.
Error error_of(const std::vector<Conflict>& conflicts);

/// An object with the type of its apiVersion.
struct Versioned {
  json::Value object;
  const Type* type = nullptr;
};

struct Applied {
  std::vector<Conflict> conflicts;  // if not empty, the other members are not valid
  json::Value object;
  bool changed = false;  // whether a value differs from the live object's
  Managers managers;
};

class Updater {
 public:
  Updater(const Versions& versions, const OwnableFields& ownable)
      : versions_(versions), ownable_(ownable) {}

  /// `id` applies `applied` to `live`, both in the version of the request. `nobodys` are fields
  /// that are never owned.
  Result<Applied> apply(const Versioned& live, const Versioned& applied, Managers managers,
                        const ManagerId& id, std::string_view api_version, bool force,
                        const Set& never_owned) const;

  /// The owners after `live` became `wanted`. `self`, which must be new, gets the changed fields.
  Result<Managers> update(const Versioned& live, const Versioned& wanted, Managers managers,
                          const ManagerId& self, std::string_view api_version) const;

  /// The object in another version; nullopt if that version no longer exists.
  Result<std::optional<Versioned>> in_version(const Versioned& object, std::string_view from,
                                              std::string_view to) const;

 private:
  struct Updated {
    std::vector<Conflict> conflicts;
    Changes changes;  // in the version of the request
    Managers managers;
  };

  Set owned(const Set& set) const;
  Managers with_todays_schemas(Managers managers) const;
  Result<Updated> updated(const Versioned& live, const Versioned& wanted, const Managers& managers,
                          const ManagerId& self, std::string_view api_version, bool force) const;
  /// What remains of `merged` after `last` gave up its fields, for any mix of owners' versions.
  Result<json::Value> pruned(const Versioned& merged, const Managers& managers, const Manager& last,
                             std::string_view api_version) const;

  const Versions& versions_;
  const OwnableFields& ownable_;
};

}  // namespace portico::fieldset::internal
