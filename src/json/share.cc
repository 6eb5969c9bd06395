#include "json/share.h"

#include <utility>
#include <vector>

namespace portico::json {

namespace {

Value share_items(const Value& next, const Value& previous) {
  std::vector<Value> items;
  items.reserve(next.size());
  bool is_next = true, is_previous = next.size() == previous.size();
  for (std::size_t i = 0; i < next.size(); ++i) {
    items.push_back(share(next[i], previous[i]));
    is_next = is_next && items.back().same_as(next[i]);
    is_previous = is_previous && items.back().same_as(previous[i]);
  }
  if (is_previous) return previous;
  return is_next ? next : Value::array(std::move(items));
}

// The members of both are sorted by key.
Value share_members(const Value& next, const Value& previous) {
  std::vector<Member> members;
  members.reserve(next.size());
  bool is_next = true, is_previous = next.size() == previous.size();
  auto other = previous.members().begin();
  const auto end = previous.members().end();
  for (const Member& member : next.members()) {
    while (other != end && other->name() < member.name()) ++other;
    if (other == end || other->name() != member.name()) {
      members.push_back(member);
      is_previous = false;
      continue;
    }
    members.push_back({other->key, share(member.value, other->value)});
    const Member& shared = members.back();
    is_next = is_next && shared.key.same_as(member.key) && shared.value.same_as(member.value);
    is_previous = is_previous && shared.value.same_as(other->value);
  }
  if (is_previous) return previous;
  return is_next ? next : Value::object(std::move(members));
}

}  // namespace

Value share(const Value& next, const Value& previous) {
  if (next.same_as(previous)) return previous;
  if (next.is_array() && previous.is_array()) return share_items(next, previous);
  if (next.is_object() && previous.is_object()) return share_members(next, previous);
  return next == previous ? previous : next;
}

}  // namespace portico::json
