// A YAML document as a JSON value, and the way back from a path to a node.
#pragma once

#include <optional>

#include "json/value.h"
#include "krm/object.h"
#include "yaml/document.h"

namespace portico::krm {

/// The value of a document: scalars as go-yaml v3 reads them, map keys by key_text, aliases and
/// merge keys expanded. kInvalid, with "line:column", for a key that stands twice in a map, an
/// alias inside what it stands for, and for aliases that multiply beyond 250,000 nodes.
Result<json::Value> decode(const yaml::Document& document);

/// The value of one scalar node, not an alias.
json::Value scalar_value(const yaml::Document& document, yaml::NodeId id);

/// The member name that a key stands for: a scalar's text, whatever its type; of a list or map
/// (as in "a: {{ template }}") what is written.
std::string_view key_text(const yaml::Document& document, yaml::NodeId key, std::string& scratch);

/// The children of a map: key and value. Merge keys are members like any other here.
struct MapMember {
  yaml::NodeId key, value;
};
std::vector<MapMember> map_members(const yaml::Document& document, yaml::NodeId map);
std::vector<yaml::NodeId> list_items(const yaml::Document& document, yaml::NodeId list);
std::optional<MapMember> find_member(const yaml::Document& document, yaml::NodeId map,
                                     std::string_view name);
bool is_merge_key(const yaml::Document& document, yaml::NodeId key);

/// The node at a path, aliases followed; members that a merge key brings are not found.
std::optional<yaml::NodeId> find_node(const yaml::Document& document, const Path& path);

}  // namespace portico::krm
