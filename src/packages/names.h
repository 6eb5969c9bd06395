// Names of package revision objects and of workspaces. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::packages {

/// "<repository>.<package>.<workspace>", slashes of the package path (below the repository's
/// directory) as dots: "edge.networks.web.v1", as Porch names them. Found in git may be paths that
/// give no such name ("infra/Web_1"): theirs is made of what can stay and 8 digits of a hash.
std::string object_name(std::string_view repository, std::string_view package,
                        std::string_view workspace);

/// kInvalid unless repository, each part of the package path and the workspace are RFC 1123 labels
/// and the whole a DNS subdomain. For what users create; what is found in git may have other names.
Result<Done> check_object_name(std::string_view repository, std::string_view package,
                               std::string_view workspace);

/// 1 to 63 of [a-z0-9-], first and last not '-'.
Result<Done> check_workspace(std::string_view workspace);

}  // namespace portico::packages
