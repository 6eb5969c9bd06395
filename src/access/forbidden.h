// The error for a forbidden request, with Kubernetes' message.
#pragma once

#include <string_view>

#include "access/policy.h"
#include "access/request.h"
#include "base/result.h"

namespace portico::access {

/// kInvalid with Reason::kForbidden: `configmaps "x" is forbidden: User "ada" cannot get resource
/// "configmaps" in API group "" in the namespace "ns"`, followed by a colon and the verdict's
/// reason, if any. The details of a Status are the request's name, group and resource.
Error forbidden(const User& user, const Request& request, std::string_view reason);

/// Done, or forbidden().
Result<Done> allow(const Policy& policy, const User& user, const Request& request);

}  // namespace portico::access
