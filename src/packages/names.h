// Names of package revision objects and of workspaces. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::packages {

/// "<repository>.<package>.<workspace>", with slashes of the package path (below the repository's
/// directory) as dots: "edge.networks.web.v1", as Porch names them. A path in git that gives no
/// valid name ("infra/Web_1") is reduced to its valid characters and gets 8 digits of a hash.
std::string object_name(std::string_view repository, std::string_view package,
                        std::string_view workspace);

/// kInvalid unless repository, each part of the package path and the workspace are RFC 1123 labels
/// and the whole name is a DNS subdomain. For new packages; those found in git may have other
/// names.
Result<Done> check_object_name(std::string_view repository, std::string_view package,
                               std::string_view workspace);

/// Checks for 1 to 63 of [a-z0-9-], first and last not '-'.
Result<Done> check_workspace(std::string_view workspace);

}  // namespace portico::packages
