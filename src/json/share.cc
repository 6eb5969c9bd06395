#include "json/share.h"

#include <utility>
#include <vector>

namespace portico::json {

namespace {

Value share_items(const Value& next, const Value& previous) {
  std::vector<Value> items;
  items.reserve(next.size());
  bool equal = next.size() == previous.size();
  for (std::size_t i = 0; i < next.size(); ++i) {
    items.push_back(share(next[i], previous[i]));
    equal = equal && items.back().same_as(previous[i]);
  }
  return equal ? previous : Value::array(std::move(items));
}

// The members of both are sorted by key.
Value share_members(const Value& next, const Value& previous) {
  std::vector<Member> members;
  members.reserve(next.size());
  bool equal = next.size() == previous.size();
  auto other = previous.members().begin();
  const auto end = previous.members().end();
  for (const Member& member : next.members()) {
    while (other != end && other->name() < member.name()) ++other;
    if (other != end && other->name() == member.name()) {
      members.push_back({other->key, share(member.value, other->value)});
      equal = equal && members.back().value.same_as(other->value);
    } else {
      members.push_back(member);
      equal = false;
    }
  }
  return equal ? previous : Value::object(std::move(members));
}

}  // namespace

Value share(const Value& next, const Value& previous) {
  if (next.same_as(previous)) return previous;
  if (next.is_array() && previous.is_array()) return share_items(next, previous);
  if (next.is_object() && previous.is_object()) return share_members(next, previous);
  return next == previous ? previous : next;
}

}  // namespace portico::json
