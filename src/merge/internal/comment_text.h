// What the comments of a document say, without their place in the tree.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "krm/object.h"

namespace portico::merge::internal {

/// What looks like a comment, line by line: a cheap way to see that no comment changed. Text of
/// block scalars that looks like one is among them.
std::vector<std::string_view> comment_lines(std::string_view text);

/// Whether a comment is kpt's mark of what the resource was upstream: nobody's words.
bool is_merge_key(std::string_view comment);

/// The schema that a comment holds as JSON ("# {\"items\":{\"$ref\": ...}}"), as kyaml reads it:
/// any object counts, known words or not, but for the old setters' ("$kpt-set", "$openapi").
std::optional<json::Value> schema_in_comment(std::string_view comment);
/// The one of the node at `path`, in the comment on its line or above it.
std::optional<json::Value> commented_schema(const krm::Object& object, const krm::Path& path);
/// Whether there can be one in the text: a cheap way to see that there is none.
bool may_hold_schema(std::string_view text);

}  // namespace portico::merge::internal
