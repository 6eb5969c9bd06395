// Object values as expressions see them.
#pragma once

#include "cel/value.h"
#include "json/value.h"
#include "schema/schema.h"

namespace portico::schema::internal {

/// `value` typed by its schema: strings of the formats byte, date, date-time and duration become
/// bytes and times, and numbers become doubles. Members and items are converted on access. `node`
/// must outlive the result. A value that does not match its schema's type becomes an error value.
cel::Value rule_value(const Node& node, const json::Value& value, bool is_resource);

}  // namespace portico::schema::internal
