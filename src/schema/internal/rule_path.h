// The fieldPath of a rule: which part of the value it speaks of.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/schema.h"

namespace portico::schema::internal {

/// ".spec.parts" or "['a.b'].c" as it is appended to a field's path: "spec.parts", "a.b.c".
/// Nothing where it is no such path, or leads to what `node` does not have. Members of maps are in
/// brackets or behind a dot; there is no way into a list.
std::optional<std::string> normalized_rule_path(std::string_view path, const Node& node);

}  // namespace portico::schema::internal
