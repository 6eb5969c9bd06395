// What a role or binding has to look like. Pure.
#pragma once

#include "base/result.h"
#include "json/value.h"

namespace portico::access {

/// A RoleBinding or ClusterRoleBinding with the API groups that were left out: that of the roleRef
/// and of users and groups. Other objects as they are.
json::Value with_defaults(const json::Value& object);

/// A Role, ClusterRole, RoleBinding or ClusterRoleBinding, defaults filled in, beyond what its
/// schema and the rules for all metadata say: names (which need not be DNS names), rules, roleRef,
/// subjects. `stored` is what it replaces, or null: a roleRef cannot change. kInvalid with causes,
/// in Kubernetes' words: `Role.rbac.authorization.k8s.io "a" is invalid: rules[0].verbs: ...`.
Result<Done> validate(const json::Value& object, const json::Value& stored);

}  // namespace portico::access
