// Defaults and validation of roles and bindings. Pure.
#pragma once

#include "base/result.h"
#include "json/value.h"

namespace portico::access {

/// A RoleBinding or ClusterRoleBinding with default API groups in the roleRef and in user and group
/// subjects. Other objects are returned unchanged.
json::Value with_defaults(const json::Value& object);

/// Validates a Role, ClusterRole, RoleBinding or ClusterRoleBinding with defaults, beyond its
/// schema and the general metadata rules: names (which need not be DNS names), rules, roleRef,
/// subjects. `stored` is the object that it replaces, or null: a roleRef is immutable. kInvalid
/// with causes, with Kubernetes' messages: `Role.rbac.authorization.k8s.io "a" is invalid:
/// rules[0].verbs: ...`.
Result<Done> validate(const json::Value& object, const json::Value& stored);

}  // namespace portico::access
