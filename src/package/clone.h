// A copy of an upstream package that knows where it came from.
#pragma once

#include <string>
#include <string_view>

#include "api/package_revision.h"
#include "base/result.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::package {

struct CloneOptions {
  std::string package;    // of the downstream, a path: its last segment becomes the Kptfile's name
  api::GitLock upstream;  // where the content comes from, exactly
  bool deployment = false;  // the downstream's repository is one: the package context is generated
};

/// As kpt clones: the Kptfile gets the new name, upstream and upstreamLock, every resource the mark
/// of what it was upstream (merge::add_merge_key), and for a deployment repository the package
/// context is made anew. kNotFound for a package without Kptfile.
Result<krm::Package> clone(krm::Package upstream, const CloneOptions& options);

/// The two as a Kptfile has them: {type, git: {repo, directory, ref}}, with `commit` in the lock.
json::Value upstream_value(const api::GitLock& upstream);
json::Value upstream_lock_value(const api::GitLock& upstream);

/// Sets upstream and upstreamLock of a Kptfile; what else stands in them (updateStrategy) stays.
Result<Done> set_upstream(krm::Object& kptfile, const api::GitLock& upstream);

/// The last segment of a package's path.
std::string_view leaf_name(std::string_view package);

}  // namespace portico::package
