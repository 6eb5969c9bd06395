// A PackageRevision object from what git says, and back: the one conversion between repo::Revision
// and the stored object. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "base/result.h"
#include "json/value.h"
#include "krm/package.h"
#include "packages/home.h"
#include "repo/repository.h"

namespace portico::gitpackages {

using packages::Home;

/// What the package's root Kptfile says that the object mirrors.
struct KptfileFacts {
  json::Value upstream_lock;     // null where there is none
  json::Value readiness_gates;   // list of {conditionType}
  json::Value conditions;        // list of {type, status, reason, message}
  json::Value package_metadata;  // {labels, annotations}
  bool operator==(const KptfileFacts&) const = default;
};
/// Of a package without a readable Kptfile: all null.
KptfileFacts kptfile_facts(const krm::Package& package);
/// Of a package that git has and nobody can read as one (a submodule, a name twice, too large): a
/// condition Unreadable that says why.
KptfileFacts unreadable(const Error& why);
/// The same of an object that to_object has made of them.
KptfileFacts facts_of(const json::Value& object);

/// The object's spec and status as git has them; metadata holds name, namespace, the latest label,
/// the variant annotation and nothing else. `latest` is decided by the caller, who sees all
/// revisions of the package.
json::Value to_object(const Home& home, const repo::Revision& revision,
                      const repo::Repository::Lock& self, const KptfileFacts& facts, bool latest);

/// The parts of `fresh` that come from git, put into `stored`: what lives only in the store
/// (labels, annotations, owner references, tasks, publishedBy) stays. Equal to `stored` where git
/// did not change.
json::Value refreshed(const json::Value& stored, const json::Value& fresh);

/// Back: what repo::Repository needs to read or move the revision. kInternal where the object is
/// not one that to_object made.
Result<repo::Revision> to_revision(const json::Value& object);

/// Index in `revisions` of the latest of each package: the highest positive revision number among
/// Published and DeletionProposed ones.
std::vector<bool> latest_of_each(const std::vector<repo::Revision>& revisions);

}  // namespace portico::gitpackages
