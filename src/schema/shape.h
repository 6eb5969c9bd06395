// Fits a value to its schema: prunes unknown fields and fills in defaults.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "schema/schema.h"

namespace portico::schema {

struct Pruned {
  json::Value value;
  std::vector<std::string> unknown;  // paths of the removed fields, sorted
};

/// An object without the members that its schema does not declare. apiVersion, kind and metadata
/// are always known, at the root and in embedded resources; metadata is not changed (metadata.h).
/// Values of the wrong type are pruned, too, such as an object in place of a list.
Pruned prune(const json::Value& object, const Schema& schema);

/// `object` with the schema's defaults for members that are missing, or null where null is not
/// allowed; other disallowed nulls are removed (except list items). Applies inside default values
/// as well. Returns `object` itself if nothing changes.
json::Value apply_defaults(const json::Value& object, const Schema& schema);

}  // namespace portico::schema
