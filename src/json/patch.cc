#include "json/patch.h"

namespace portico::json {

Value with_merge_patch(const Value& target, const Value& patch) {
  if (!patch.is_object()) return patch == target ? target : patch;
  Value out = target.is_object() ? target : Value::object();
  for (const Member& member : patch.members()) {
    if (member.value.is_null()) {
      out = out.without(member.name());
      continue;
    }
    const Value* before = out.find(member.name());
    Value after = with_merge_patch(before != nullptr ? *before : Value(), member.value);
    if (before == nullptr || !after.same_as(*before))
      out = out.with(member.name(), std::move(after));
  }
  return out;
}

Value merge_patch(const Value& from, const Value& to) {
  if (!from.is_object() || !to.is_object()) return to;
  std::vector<Member> members;
  for (const Member& member : from.members())
    if (!to.contains(member.name())) members.push_back({member.key, Value()});
  for (const Member& member : to.members()) {
    const Value* before = from.find(member.name());
    if (before == nullptr)
      members.push_back(member);
    else if (*before != member.value)
      members.push_back({member.key, merge_patch(*before, member.value)});
  }
  return Value::object(std::move(members));
}

}  // namespace portico::json
