// The built-in roles and bindings. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "json/value.h"

namespace portico::access {

/// Kubernetes' system:discovery, system:basic-user, system:public-info-viewer and cluster-admin
/// with their bindings, and Portico's own roles, which are not bound to any subject:
///   portico:viewer    reads packages, variants, repositories, config maps and events
///   portico:editor    like viewer, and writes them, but approves nothing and reads no Secrets
///   portico:approver  like viewer, and approves package revisions (packagerevisions/approval)
///   portico:admin     all of these, and Secrets, service accounts, roles and definitions of kinds
/// All have the label and the annotation of Kubernetes' built-in objects, and are sorted by kind
/// and name.
std::vector<json::Value> builtin_objects();

}  // namespace portico::access
