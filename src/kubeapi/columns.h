// Table columns shared by several resources. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kubeapi/resource_type.h"
#include "resources/resources.h"

namespace portico::kubeapi {

Column name_column();
/// Time since creation as text, in kubectl's format.
Column age_column();
/// For CustomResourceDefinitions, whose table shows the creation time itself.
Column created_at_column();

std::vector<Column> event_columns();
/// For Role, RoleBinding, ClusterRole, ClusterRoleBinding.
std::vector<Column> rbac_columns(std::string_view kind);
/// For one of Portico's kinds.
std::vector<Column> columns_of(const resources::Resource& resource);

/// "5s", "3m10s", "41m", "5h7m", "27h", "3d4h", "2y3d": Kubernetes' short format of the time
/// between two RFC 3339 times; "<unknown>" if `from` is empty, "<invalid>" if a time cannot be
/// parsed or `from` is in the future.
std::string human_age(std::string_view from, std::string_view now);

}  // namespace portico::kubeapi
