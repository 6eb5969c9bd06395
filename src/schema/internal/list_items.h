// Finds list items by their keys.
#pragma once

#include <map>
#include <string>

#include "json/value.h"
#include "schema/schema.h"

namespace portico::schema::internal {

/// The values of an item's x-kubernetes-list-map-keys as an object, with defaults for missing ones.
json::Value key_of(const Node& list, const json::Value& item);

/// An index of the items of a list of type map; for other lists it finds nothing.
class ItemsByKey {
 public:
  /// `items` may be nullptr, and must outlive the index.
  ItemsByKey(const Node& list, const json::Value* items);
  /// The item with the same keys as `item`, or nullptr.
  const json::Value* find(const json::Value& item) const;

 private:
  const Node& list_;
  std::map<std::string, const json::Value*> items_;  // by the printed key
};

}  // namespace portico::schema::internal
