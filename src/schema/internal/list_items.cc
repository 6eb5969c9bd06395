#include "schema/internal/list_items.h"

#include "json/text.h"

namespace portico::schema::internal {

using json::Value;

Value key_of(const Node& list, const Value& item) {
  std::vector<json::Member> members;
  for (const std::string& key : list.list_keys) {
    const Value* value = item.find(key);
    const Node* property = list.items ? list.items->property(key) : nullptr;
    if (value == nullptr && property != nullptr && property->default_value)
      value = &*property->default_value;
    if (value != nullptr) members.push_back({key, *value});
  }
  return Value::object(std::move(members));
}

ItemsByKey::ItemsByKey(const Node& list, const Value* items) : list_(list) {
  if (items == nullptr || list.list_type != ListType::kMap) return;
  for (const Value& item : items->items())
    items_.try_emplace(json::print(key_of(list, item)), &item);
}

const Value* ItemsByKey::find(const Value& item) const {
  if (items_.empty()) return nullptr;
  const auto found = items_.find(json::print(key_of(list_, item)));
  return found == items_.end() ? nullptr : found->second;
}

}  // namespace portico::schema::internal
