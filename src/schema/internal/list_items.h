// Finding the items of a list again by their keys.
#pragma once

#include <map>
#include <string>

#include "json/value.h"
#include "schema/schema.h"

namespace portico::schema::internal {

/// The values of an item's x-kubernetes-list-map-keys, with defaults where the item has none: an
/// object.
json::Value key_of(const Node& list, const json::Value& item);

/// An index over the items of a list whose type is map; of every other one nothing is found.
class ItemsByKey {
 public:
  /// `items` may be nullptr, and must outlive this.
  ItemsByKey(const Node& list, const json::Value* items);
  /// The item with the keys that `item` has, or nullptr.
  const json::Value* find(const json::Value& item) const;

 private:
  const Node& list_;
  std::map<std::string, const json::Value*> items_;  // by the printed key
};

}  // namespace portico::schema::internal
