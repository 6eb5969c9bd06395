// Prevents privilege escalation: checks before a role or binding is written. Pure.
#pragma once

#include <string_view>

#include "access/policy.h"
#include "access/request.h"
#include "base/result.h"
#include "json/value.h"

namespace portico::access {

/// Whether `user` may replace the Role or ClusterRole `stored` (null: it is new) with `wanted`.
/// `url_name` is the name in the request's path ("" for a POST): the verb `escalate` may be granted
/// for one name. Allowed for members of system:masters and users who may `escalate`; others need
/// every right that the role grants, and all rights to set or change an aggregationRule. kInvalid
/// with Reason::kForbidden lists the missing rights, like Kubernetes.
Result<Done> check_role(const Policy& policy, const User& user, const json::Value& stored,
                        const json::Value& wanted, std::string_view url_name);

/// The same for a RoleBinding or ClusterRoleBinding: the user may `bind` the role in the binding's
/// namespace, or has every right of the role there. kNotFound if the role does not exist.
Result<Done> check_binding(const Policy& policy, const User& user, const json::Value& stored,
                           const json::Value& wanted);

}  // namespace portico::access
