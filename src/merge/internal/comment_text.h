// What the comments of a document say, without their place in the tree.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace portico::merge::internal {

/// What looks like a comment, line by line: a cheap way to see that no comment changed. Text of
/// block scalars that looks like one is among them.
std::vector<std::string_view> comment_lines(std::string_view text);

/// Whether a comment is kpt's mark of what the resource was upstream: nobody's words.
bool is_merge_key(std::string_view comment);

/// The schema that a comment holds as JSON ("# {\"items\":{\"$ref\": ...}}"), as kyaml reads it.
std::optional<json::Value> schema_in_comment(std::string_view comment);

}  // namespace portico::merge::internal
