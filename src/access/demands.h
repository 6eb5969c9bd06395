// What somebody needs to be allowed beside writing an object, for what stands in it: the server
// acts on it with rights of its own.
#pragma once

#include <string>
#include <vector>

#include "access/request.h"
#include "json/value.h"

namespace portico::access {

/// The virtual resources of the group config.porch.kpt.dev that a rule names with the verb "use",
/// and by resourceNames: addresses of repositories on the server's machine, paths of its programs.
inline constexpr const char* kLocalRepositories = "localrepositories";
inline constexpr const char* kLocalPrograms = "localprograms";

struct Demand {
  Request request;
  std::string why;  // the field, and what it does: the beginning of a message
  bool operator==(const Demand&) const = default;
};

/// Whether git takes `address` for a folder of the machine it runs on: a path or file://.
bool is_local_address(std::string_view address);

/// What the step from `stored` (null: it is new) to `wanted` demands; an object of a kind that acts
/// by itself, as it is stored. What was there before is not asked for again:
///
/// - a Repository, and the git upstream of a task of a PackageRevision: to get the Secret that is
///   sent to an address, when either changes; to use a local repository;
/// - a FunctionConfig: to use a program of the machine;
/// - a PackageVariant, PackageVariantSet or PackageRevision that comes to be approved by policy
///   (spec.approval.approve, approval.nephio.org/policy, or expressions that could write the
///   annotation): to "automate" packagerevisions/approval. A verb of its own: where a cluster's API
///   server passes requests on, it has asked for the right to approve itself, and not for this.
std::vector<Demand> demands(const json::Value& stored, const json::Value& wanted);

}  // namespace portico::access
