// Values of objects as expressions see them.
#pragma once

#include "cel/value.h"
#include "json/value.h"
#include "schema/schema.h"

namespace portico::schema::internal {

/// `value` typed by its schema: texts of the formats byte, date, date-time and duration as bytes
/// and times, numbers as doubles. Members and items are made when they are asked for. `node`
/// outlives the result. A value that does not have its schema's type is an error value.
cel::Value rule_value(const Node& node, const json::Value& value, bool is_resource);

}  // namespace portico::schema::internal
