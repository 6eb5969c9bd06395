// Uniqueness of the items of sets and keyed lists.
#pragma once

#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "schema/schema.h"

namespace portico::schema {

/// For each list of type set or map in `object`: one cause per item (or keys) that is repeated.
std::vector<Cause> list_causes(const json::Value& object, const Schema& schema);

}  // namespace portico::schema
