// Additional rights that a user needs to write certain content, because the server acts on that
// content with its own rights.
#pragma once

#include <string>
#include <vector>

#include "access/request.h"
#include "json/value.h"

namespace portico::access {

/// Virtual resources of the group config.porch.kpt.dev, for rules with the verb "use" and
/// resourceNames: addresses of repositories on the server's machine, and paths of its programs.
inline constexpr const char* kLocalRepositories = "localrepositories";
inline constexpr const char* kLocalPrograms = "localprograms";

struct RequiredRight {
  Request request;
  std::string why;  // the field and its effect: the beginning of a message
  bool operator==(const RequiredRight&) const = default;
};

/// Whether git treats `address` as a local folder: a path or file://.
bool is_local_address(std::string_view address);

/// The rights needed to change `stored` (null: it is new) to `wanted`. Objects that a controller
/// acts on must be in their stored version. Content that was there before needs no right again:
///
/// - a Repository, and the git upstream of a task of a PackageRevision: to get the Secret that is
///   sent to an address, when either changes; to use a local repository;
/// - a FunctionConfig: to use a program of the server's machine;
/// - a PackageVariant, PackageVariantSet or PackageRevision that becomes subject to approval by
///   policy (spec.approval.approve, approval.nephio.org/policy, or expressions that could write the
///   annotation): to "automate" packagerevisions/approval. This is a separate verb because a
///   cluster's API server in front authorizes approvals itself, but does not check this right.
std::vector<RequiredRight> demands(const json::Value& stored, const json::Value& wanted);

}  // namespace portico::access
