// That the items of sets and of lists with keys are there once.
#pragma once

#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "schema/schema.h"

namespace portico::schema {

/// For each list of type set or map in `object`: each item (or its keys) that comes up again, once.
std::vector<Cause> list_causes(const json::Value& object, const Schema& schema);

}  // namespace portico::schema
