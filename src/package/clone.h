// Copies an upstream package and records where it came from.
#pragma once

#include <string>
#include <string_view>

#include "api/package_revision.h"
#include "base/result.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::package {

struct CloneOptions {
  std::string package;      // path of the downstream; its last segment becomes the Kptfile's name
  api::GitLock upstream;    // the exact source of the content
  bool deployment = false;  // for a deployment repository: generates the package context
};

/// Clones as kpt does: the Kptfile gets the new name, upstream and upstreamLock; every resource
/// gets the mark of its upstream identity (merge::add_merge_key); and for a deployment repository
/// the package context is generated again. kNotFound for a package without a Kptfile.
Result<krm::Package> clone(krm::Package upstream, const CloneOptions& options);

/// The Kptfile's upstream and upstreamLock: {type, git: {repo, directory, ref}}; the lock also has
/// `commit`.
json::Value upstream_value(const api::GitLock& upstream);
json::Value upstream_lock_value(const api::GitLock& upstream);

/// Sets upstream and upstreamLock of a Kptfile; their other members (updateStrategy) stay.
Result<Done> set_upstream(krm::Object& kptfile, const api::GitLock& upstream);

/// The last segment of a package's path.
std::string_view leaf_name(std::string_view package);

}  // namespace portico::package
