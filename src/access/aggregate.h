// Cluster roles that gather the rules of others by label. Pure.
#pragma once

#include <optional>
#include <vector>

#include "json/value.h"

namespace portico::access {

/// The ClusterRole `role` with the rules of those of `cluster_roles` that one of its
/// aggregationRule's selectors matches, selector by selector and by name, each rule once. Itself is
/// left out. Nothing where it has no aggregationRule, where a selector is invalid, or where its
/// rules are these already.
std::optional<json::Value> aggregated(const json::Value& role,
                                      const std::vector<json::Value>& cluster_roles);

}  // namespace portico::access
