// Nobody grants more than they have: what is checked before a role or a binding is written. Pure.
#pragma once

#include <string_view>

#include "access/policy.h"
#include "access/request.h"
#include "base/result.h"
#include "json/value.h"

namespace portico::access {

/// Whether `user` may write the Role or ClusterRole `wanted` in place of `stored` (null: it is
/// new). `url_name` is the name in the request's path ("" for a POST): the verb `escalate` may be
/// given for one name. Members of system:masters may, and who may `escalate`; others need every
/// right that the role gives, and all rights to set or change an aggregationRule. kInvalid with
/// Reason::kForbidden lists the rights that are missing, as Kubernetes does.
Result<Done> check_role(const Policy& policy, const User& user, const json::Value& stored,
                        const json::Value& wanted, std::string_view url_name);

/// The same for a RoleBinding or ClusterRoleBinding: who may `bind` the role in the binding's
/// namespace, or has every right of it there. kNotFound where the role is not there.
Result<Done> check_binding(const Policy& policy, const User& user, const json::Value& stored,
                           const json::Value& wanted);

}  // namespace portico::access
