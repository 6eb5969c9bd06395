// Helpers for values that may be absent.
#pragma once

#include <cstddef>

#include "json/value.h"
#include "merge/internal/pair_items.h"

namespace portico::merge::internal {

inline bool same(const json::Value* a, const json::Value* b) {
  return a == nullptr || b == nullptr ? a == b : *a == *b;
}

inline bool is_missing(const json::Value* value) { return value == nullptr || value->is_null(); }

inline bool is_collection(const json::Value& value) {
  return value.is_array() || value.is_object();
}

/// nullptr for kNoItem and where the list is absent or too short.
inline const json::Value* item_at(const json::Value* list, std::size_t index) {
  return list == nullptr || index >= list->items().size() ? nullptr : &list->items()[index];
}

/// The value, or an empty list if it is not a list.
inline json::Value list_or_empty(const json::Value* value) {
  return value != nullptr && value->is_array() ? *value : json::Value::array();
}

/// Whether the value contains a null at any depth.
inline bool has_null(const json::Value& value) {
  if (value.is_null()) return true;
  for (const json::Value& item : value.items())
    if (has_null(item)) return true;
  for (const json::Member& member : value.members())
    if (has_null(member.value)) return true;
  return false;
}

}  // namespace portico::merge::internal
