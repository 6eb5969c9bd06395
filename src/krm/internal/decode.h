// Converts a YAML document to a JSON value, and finds the node for a path.
#pragma once

#include <optional>

#include "json/value.h"
#include "krm/object.h"
#include "yaml/document.h"

namespace portico::krm {

/// The value of a document: scalars are read as by go-yaml v3, map keys by key_text; aliases and
/// merge keys are expanded. kInvalid, with "line:column", for a duplicate key in a map, an alias
/// inside its own anchor, and aliases that expand to more than 250,000 nodes.
Result<json::Value> decode(const yaml::Document& document);

/// The value of a single scalar node that is not an alias.
json::Value scalar_value(const yaml::Document& document, yaml::NodeId id);

/// The member name for a key: the text of a scalar, whatever its type; for a list or map its
/// source text (as in "a: {{ template }}").
std::string_view key_text(const yaml::Document& document, yaml::NodeId key, std::string& scratch);

/// A child of a map: key and value. Merge keys are treated like any other member here.
struct MapMember {
  yaml::NodeId key, value;
};
std::vector<MapMember> map_members(const yaml::Document& document, yaml::NodeId map);
std::vector<yaml::NodeId> list_items(const yaml::Document& document, yaml::NodeId list);
std::optional<MapMember> find_member(const yaml::Document& document, yaml::NodeId map,
                                     std::string_view name);
bool is_merge_key(const yaml::Document& document, yaml::NodeId key);

/// The node at a path, following aliases; members that come from a merge key are not found.
std::optional<yaml::NodeId> find_node(const yaml::Document& document, const Path& path);

}  // namespace portico::krm
