// Operations on values with a type: the fields that they set, differences, merging. Pure;
// independent of managers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fieldset/set.h"
#include "fieldset/type.h"
#include "json/value.h"

namespace portico::fieldset {

/// The step to item `index` of a list of this type. kInvalid, with Kubernetes' message, for an item
/// without keys (defaults count as given), and for a non-scalar item of a set.
Result<Step> step_to_item(const Type& list, const json::Value& item, std::size_t index);

/// Whether `value` matches its type at every depth: otherwise kInvalid with Kubernetes' message,
/// ".spec.size: expected numeric (int or float), got string"; several errors are listed below
/// "errors:". Lists with duplicate items are rejected.
Result<Done> check(const json::Value& value, const Type& type);

/// The fields that `value` sets: scalars, atomic maps and lists, list items, undeclared members,
/// nulls and empty maps.
Set fields_of(const json::Value& value, const Type& type);

/// Whether `fields` (FieldsV1, from to_fields) are exactly the fields that `value` sets, except
/// those in `apart`, which has at most two levels.
bool says_fields_of(const json::Value& fields, const json::Value& value, const Type& type,
                    const Set& apart);

/// `set` plus the declared fields that have a path of the set below them.
Set with_declared(const Set& set, const Type& type);

/// `set`, adjusted to maps and lists that have become atomic since it was written: the owner of a
/// part owns the whole.
Set reconciled(const Set& set, const Type& type);
/// Whether reconciled() would change the set that `fields` (FieldsV1) represent.
bool is_outdated(const json::Value& fields, const Type& type);

struct Changes {
  Set removed, modified, added;
  bool empty() const { return removed.empty() && modified.empty() && added.empty(); }
};

/// The differences of `after` from `before`. Each field is in at most one of the sets.
Changes changes(const json::Value& before, const json::Value& after, const Type& type);

/// `value` merged with what `part` sets: nothing is removed, and lists keep their order unless
/// `part` has another one. `part` must pass check(). Unchanged parts are shared with `value`.
json::Value merged(const json::Value& value, const json::Value& part, const Type& type);

/// What remains of a map or list that loses its last member.
enum class Emptied { kStays, kBecomesNull };

/// `value` without the fields and items in `set`.
json::Value without(const json::Value& value, const Set& set, const Type& type,
                    Emptied emptied = Emptied::kStays);

}  // namespace portico::fieldset
