// How stored package revisions belong together: upstream, predecessor, variant, set.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "registry/indexed_field.h"
#include "registry/registry.h"

namespace portico::packages {

/// Names of the field indexes of PackageRevisions (registry/registry.h, Query::fields).
inline constexpr const char* kByRepository = "repository";  // spec.repository
inline constexpr const char* kByPackage = "package";        // spec.repository and spec.packageName

/// What a store must index for this module to be quick.
std::vector<registry::IndexedField> indexes();

/// Every stored revision of one package, by name.
Result<std::vector<json::Value>> revisions_of(const registry::Registry& registry,
                                              const std::string& ns, const std::string& repository,
                                              const std::string& package);

/// A package somebody names, by a PackageVariant that makes it, one of its revisions or itself.
struct NamedPackage {
  std::string repository, name;
  json::Value variant;  // whose downstream it is; null where it was not named by one
};

/// Of the name of a PackageVariant, of a PackageRevision, in this order, or "REPOSITORY/PACKAGE".
/// kNotFound where it is none of them; a package may have no revision.
Result<NamedPackage> package_named(const registry::Registry& registry, const std::string& ns,
                                   const std::string& name);

/// The name of the PackageVariant that owns the newest of a package's revisions, of those that one
/// owns; "" where none does.
std::string variant_of(const std::vector<json::Value>& revisions);

/// The revision that status.upstreamLock names: same git repository, directory and ref, else the
/// same commit. kNotFound where no registered repository holds it.
Result<json::Value> upstream_of(const registry::Registry& registry,
                                const json::Value& package_revision);

/// The names of the revisions in its namespace whose status.upstreamLock names this one: the same
/// git repository, directory and ref. Costs a look at each revision of the namespace.
Result<std::vector<std::string>> users_of(const registry::Registry& registry,
                                          const json::Value& package_revision);

/// The published revision of the upstream package with this number; 0: the latest.
Result<json::Value> newer_upstream(const registry::Registry& registry,
                                   const json::Value& package_revision, int revision);

/// What a draft or proposal would replace, or a published revision has replaced: the highest
/// published one before it; null where it is the first.
Result<json::Value> predecessor(const registry::Registry& registry,
                                const json::Value& package_revision);

/// The name of the set whose variant owns the revision; "" where there is none.
std::string set_of(const registry::Registry& registry, const json::Value& package_revision);

}  // namespace portico::packages
