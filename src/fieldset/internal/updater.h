// Who owns what after a change: the part of apply and track that knows managers, versions and
// conflicts, and nothing of annotations, times and metadata.
#pragma once

#include <vector>

#include "base/result.h"
#include "fieldset/apply.h"
#include "fieldset/managers.h"
#include "fieldset/typed.h"
#include "json/value.h"

namespace portico::fieldset::internal {

/// A field that is to change, and who owns it.
struct Conflict {
  ManagerId manager;
  Path path;
};

/// kConflict with Kubernetes' text and one cause for each.
Error error_of(const std::vector<Conflict>& conflicts);

/// An object in the version of its apiVersion.
struct Versioned {
  json::Value object;
  const Type* type = nullptr;
};

struct Applied {
  std::vector<Conflict> conflicts;  // then nothing else counts
  json::Value object;
  bool changed = false;  // whether a value differs from the live object's
  Managers managers;
};

class Updater {
 public:
  Updater(const Versions& versions, const Ownable& ownable)
      : versions_(versions), ownable_(ownable) {}

  /// `id` applies `applied` to `live`, both of the version of the request. `nobodys` are fields
  /// that nobody owns.
  Result<Applied> apply(const Versioned& live, const Versioned& applied, Managers managers,
                        const ManagerId& id, std::string_view api_version, bool force,
                        const Set& nobodys) const;

  /// The owners after `live` became `wanted`; `self` gets what changed, in an entry that was not
  /// there before.
  Result<Managers> update(const Versioned& live, const Versioned& wanted, Managers managers,
                          const ManagerId& self, std::string_view api_version) const;

  /// The same object in another version; nothing where that is not served any more.
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
  /// What of `merged` stays when `last` was given up, whatever the versions of the owners are.
  Result<json::Value> pruned(const Versioned& merged, const Managers& managers, const Manager& last,
                             std::string_view api_version) const;

  const Versions& versions_;
  const Ownable& ownable_;
};

}  // namespace portico::fieldset::internal
