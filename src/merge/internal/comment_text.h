// The content of a document's comments, independent of their place in the tree.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "krm/object.h"

namespace portico::merge::internal {

/// Lines that look like comments: a cheap way to see that no comment changed. Includes text of
/// block scalars that looks like a comment.
std::vector<std::string_view> comment_lines(std::string_view text);

/// Whether a comment is kpt's merge key, which records the upstream name of a resource.
bool is_merge_key(std::string_view comment);

/// The schema that a comment holds as JSON ("# {\"items\":{\"$ref\": ...}}"), as kyaml reads it.
/// Any object counts, whatever its fields, except those of the old setters ("$kpt-set",
/// "$openapi").
std::optional<json::Value> schema_in_comment(std::string_view comment);
/// The schema for the node at `path`, from the comment on its line or above it.
std::optional<json::Value> commented_schema(const krm::Object& object, const krm::Path& path);
/// Whether the text may hold a schema comment: a cheap way to rule one out.
bool may_hold_schema(std::string_view text);

}  // namespace portico::merge::internal
