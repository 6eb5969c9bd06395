// The roles and bindings that are there from the start. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "json/value.h"

namespace portico::access {

/// Kubernetes' system:discovery, system:basic-user, system:public-info-viewer and cluster-admin
/// with their bindings, and our own roles, which nobody is bound to:
///   portico:viewer    reads packages, variants, repositories, config maps and events
///   portico:editor    viewer, and writes them, but approves nothing and reads no Secrets
///   portico:approver  viewer, and approves package revisions (packagerevisions/approval)
///   portico:admin     all of it, and Secrets, service accounts, roles and definitions of kinds
/// All have the label and the annotation that Kubernetes gives to such objects, and are sorted by
/// kind and name.
std::vector<json::Value> builtin_objects();

}  // namespace portico::access
