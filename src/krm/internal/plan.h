// The edits of one call as a tree of paths, so that value and text are changed by the same rules.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "krm/object.h"

namespace portico::krm {

/// What happens at and below one path.
struct Plan {
  const Edit* here = nullptr;    // a kSet or kRemove of exactly this node
  const Edit* rename = nullptr;  // of exactly this member
  std::map<std::string, Plan> members;
  std::vector<std::string> order;                           // of the members, as first mentioned
  std::map<std::size_t, Plan> items;                        // by index before any edit
  std::map<std::size_t, std::vector<const Edit*>> inserts;  // before the item at that index

  bool is_deep() const { return !members.empty() || !items.empty() || !inserts.empty(); }
  bool removes() const { return here != nullptr && here->verb == Edit::Verb::kRemove; }
};

/// kInvalid if two edits contradict each other, or if one does not fit the value: a member of
/// something other than a map, an index beyond the end of a list, a source that does not exist.
Result<Plan> make_plan(const json::Value& value, const std::vector<Edit>& edits);

/// The value after the edits.
json::Value planned(const json::Value& value, const Plan& plan);

/// The value that a kSet or kInsert inserts.
json::Value new_value(const Edit& edit);

}  // namespace portico::krm
