// A value made to fit its schema: what the schema does not know goes, what it has defaults for
// comes.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "schema/schema.h"

namespace portico::schema {

struct Pruned {
  json::Value value;
  std::vector<std::string> unknown;  // the paths of what went, in the order of their texts
};

/// An object without the members that its schema does not know. apiVersion, kind and metadata are
/// known, at the root and in embedded resources; metadata are left as they are (metadata.h). A
/// value of the wrong type loses its members, too: an object in the place of a list.
Pruned prune(const json::Value& object, const Schema& schema);

/// `object` with the schema's defaults where a member is missing, or null where null is not
/// allowed; other nulls that are not allowed go (items of lists stay). Inside what has a default
/// itself, too. Gives `object` itself where there is nothing to do.
json::Value apply_defaults(const json::Value& object, const Schema& schema);

}  // namespace portico::schema
