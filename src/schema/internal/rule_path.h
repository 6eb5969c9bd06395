// The fieldPath of a rule: the part of the value that its errors refer to.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/schema.h"

namespace portico::schema::internal {

/// ".spec.parts" or "['a.b'].c" in the form that is appended to a field's path: "spec.parts",
/// "a.b.c". nullopt if it is malformed or names something that `node` does not have. Members of
/// maps are written in brackets or after a dot; list items cannot be addressed.
std::optional<std::string> normalized_rule_path(std::string_view path, const Node& node);

}  // namespace portico::schema::internal
