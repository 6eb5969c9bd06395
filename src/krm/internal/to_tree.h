// Converts JSON values to YAML trees for writing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "yaml/tree.h"

namespace portico::krm {

/// Members, including those of nested maps, are ordered by `key_order`, then by name.
yaml::Tree to_tree(const json::Value& value, const std::vector<std::string>& key_order = {});

/// kyaml's order for the first keys of a resource: apiVersion, kind, metadata; all others follow by
/// name.
std::vector<std::string> root_key_order();

/// Sorts the names by `key_order`; those not in it follow by name.
void sort_keys(std::vector<std::string>& names, const std::vector<std::string>& key_order);

/// Equality that treats NaN as equal to NaN.
bool same_value(const json::Value& a, const json::Value& b);

}  // namespace portico::krm
