// Columns that tables of several resources have. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kubeapi/resource_type.h"
#include "resources/resources.h"

namespace portico::kubeapi {

Column name_column();
/// Time since creation, as kubectl shows it: a text.
Column age_column();
/// Of CustomResourceDefinitions, whose table has the time itself.
Column created_at_column();

std::vector<Column> event_columns();
/// Of Role, RoleBinding, ClusterRole, ClusterRoleBinding.
std::vector<Column> rbac_columns(std::string_view kind);
/// Of a kind of ours.
std::vector<Column> columns_of(const resources::Resource& resource);

/// "5s", "3m10s", "41m", "5h7m", "27h", "3d4h", "2y3d": Kubernetes' short form of the time between
/// two RFC 3339 times; "<unknown>" for an empty one, "<invalid>" for what is no time or lies in the
/// future.
std::string human_age(std::string_view from, std::string_view now);

}  // namespace portico::kubeapi
