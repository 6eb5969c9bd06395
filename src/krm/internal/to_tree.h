// JSON values as YAML to be written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "yaml/tree.h"

namespace portico::krm {

/// Members, of nested maps too, come in the order of `key_order`, then by name.
yaml::Tree to_tree(const json::Value& value, const std::vector<std::string>& key_order = {});

/// The names of an object's members in kyaml's order for the head of a resource: apiVersion, kind,
/// metadata, then by name.
std::vector<std::string> root_key_order();

/// Names sorted by `key_order`, those it does not list behind by name.
void sort_keys(std::vector<std::string>& names, const std::vector<std::string>& key_order);

/// Equal, where a NaN equals a NaN.
bool same_value(const json::Value& a, const json::Value& b);

}  // namespace portico::krm
