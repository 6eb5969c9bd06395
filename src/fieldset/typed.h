// What a type makes of values: the fields that they set, how two of them differ, what they are
// together. Pure; nothing here knows managers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fieldset/set.h"
#include "fieldset/type.h"
#include "json/value.h"

namespace portico::fieldset {

/// The step to the item `index` of a list of that type. kInvalid, in Kubernetes' words, for an item
/// without keys (those with a default count as given), and for no scalar in a set.
Result<Step> step_to_item(const Type& list, const json::Value& item, std::size_t index);

/// Whether `value` has the form that its type asks for, at any depth: kInvalid with Kubernetes'
/// text, ".spec.size: expected numeric (int or float), got string"; several wrong places are listed
/// below "errors:". Lists with items that mean the same thing are refused.
Result<Done> check(const json::Value& value, const Type& type);

/// The fields that `value` sets: scalars, atomic maps and lists, items, members that the type does
/// not declare, and what is null or an empty map.
Set fields_of(const json::Value& value, const Type& type);

/// Whether `fields` (FieldsV1, as to_fields writes them) say exactly the fields that `value` sets,
/// but for those in `apart`, which has no more than two levels.
bool says_fields_of(const json::Value& fields, const json::Value& value, const Type& type,
                    const Set& apart);

/// `set` with the declared fields that have a path in it below them.
Set with_declared(const Set& set, const Type& type);

/// `set`, where a map or list has become atomic since it was written: the owner of a part owns all
/// of it.
Set reconciled(const Set& set, const Type& type);
/// Whether reconciled() would change the set that `fields` (FieldsV1) say.
bool is_outdated(const json::Value& fields, const Type& type);

struct Changes {
  Set removed, modified, added;
  bool empty() const { return removed.empty() && modified.empty() && added.empty(); }
};

/// How `after` differs from `before`. No field is in more than one of the sets.
Changes changes(const json::Value& before, const json::Value& after, const Type& type);

/// `value` with what `part` sets: nothing is removed, lists keep their order where `part` says no
/// other. `part` is as check() takes it. What does not change is shared with `value`.
json::Value merged(const json::Value& value, const json::Value& part, const Type& type);

/// What becomes of a map or list that loses its last member.
enum class Emptied { kStays, kBecomesNull };

/// `value` without the fields and items in `set`.
json::Value without(const json::Value& value, const Set& set, const Type& type,
                    Emptied emptied = Emptied::kStays);

}  // namespace portico::fieldset
