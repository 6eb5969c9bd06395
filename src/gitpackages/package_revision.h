// Conversion between repo::Revision and the stored PackageRevision object, in both directions.
// Pure.
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

/// The contents of the package's root Kptfile that the object mirrors.
struct KptfileFacts {
  json::Value upstream_lock;     // null if there is none
  json::Value readiness_gates;   // list of {conditionType}
  json::Value conditions;        // list of {type, status, reason, message}
  json::Value package_metadata;  // {labels, annotations}
  bool operator==(const KptfileFacts&) const = default;
};
/// All null for a package without a readable Kptfile.
KptfileFacts kptfile_facts(const krm::Package& package);
/// For a package in git that cannot be read as one (a submodule, a duplicate name, too large): a
/// condition Unreadable with the reason.
KptfileFacts unreadable(const Error& why);
/// The inverse of to_object() for these facts.
KptfileFacts facts_of(const json::Value& object);

/// The object with spec and status as in git; its metadata has only name, namespace, the latest
/// label and the variant annotation. The caller decides `latest`, because it sees all revisions of
/// the package.
json::Value to_object(const Home& home, const repo::Revision& revision,
                      const repo::Repository::Lock& self, const KptfileFacts& facts, bool latest);

/// `stored` with the git parts of `fresh`. Keeps what only the store has (labels, annotations,
/// owner references, tasks, publishedBy). Equal to `stored` if git did not change.
json::Value refreshed(const json::Value& stored, const json::Value& fresh);

/// The inverse: what repo::Repository needs to read or move the revision. kInternal if the object
/// was not made by to_object().
Result<repo::Revision> to_revision(const json::Value& object);

/// For each revision, whether it is the latest of its package: the one with the highest positive
/// revision number among Published and DeletionProposed ones.
std::vector<bool> latest_of_each(const std::vector<repo::Revision>& revisions);

}  // namespace portico::gitpackages
