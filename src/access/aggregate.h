// Cluster roles that aggregate the rules of others by label. Pure.
#pragma once

#include <optional>
#include <vector>

#include "json/value.h"

namespace portico::access {

/// The ClusterRole `role` with the rules of those `cluster_roles` that match a selector of its
/// aggregationRule, ordered by selector and then by name, each rule once. The role itself is
/// skipped. nullopt if it has no aggregationRule, if a selector is invalid, or if the rules are up
/// to date.
std::optional<json::Value> aggregated(const json::Value& role,
                                      const std::vector<json::Value>& cluster_roles);

}  // namespace portico::access
