// How stored package revisions are related: upstream, predecessor, variant, set.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "registry/indexed_field.h"
#include "registry/registry.h"

namespace portico::packages {

/// Names of the field indexes (registry/registry.h, Query::fields): of PackageRevisions the first
/// two, of PackageVariants the last.
inline constexpr const char* kByRepository = "repository";  // spec.repository
inline constexpr const char* kByPackage = "package";        // spec.repository and spec.packageName
inline constexpr const char* kByDownstream = "downstream";  // spec.downstream: repo and package

/// The indexes that a store needs for fast lookups by this module.
std::vector<registry::IndexedField> indexes();

/// Every stored revision of one package, by name.
Result<std::vector<json::Value>> revisions_of(const registry::Registry& registry,
                                              const std::string& ns, const std::string& repository,
                                              const std::string& package);

/// Every PackageVariant with this downstream package, by name.
Result<std::vector<json::Value>> variants_of(const registry::Registry& registry,
                                             const std::string& ns, const std::string& repository,
                                             const std::string& package);

/// A package that a user named by its PackageVariant, by one of its revisions, or directly.
struct NamedPackage {
  std::string repository, name;
  json::Value variant;  // the variant with this package as downstream; null if not named by one
};

/// `name` is the name of a PackageVariant or of a PackageRevision, tried in this order, or
/// "REPOSITORY/PACKAGE", whose package need not have a revision. kNotFound if it is none of them.
Result<NamedPackage> package_named(const registry::Registry& registry, const std::string& ns,
                                   const std::string& name);

/// The name of the PackageVariant that owns the revision with the highest number among those with
/// such an owner; "" if there is none.
std::string variant_of(const std::vector<json::Value>& revisions);

/// The revision that status.upstreamLock refers to: same git repository, directory and ref, else
/// the same commit. kNotFound if no registered repository has it.
Result<json::Value> upstream_of(const registry::Registry& registry,
                                const json::Value& package_revision);

/// The names of the revisions in its namespace whose status.upstreamLock refers to this one: same
/// git repository, directory and ref. Scans all revisions of the namespace.
Result<std::vector<std::string>> users_of(const registry::Registry& registry,
                                          const json::Value& package_revision);

/// The published revision of the upstream package with this number; 0: the latest.
Result<json::Value> newer_upstream(const registry::Registry& registry,
                                   const json::Value& package_revision, int revision);

/// The revision that a draft or proposal would replace, or that a published revision replaced: the
/// highest published one before it; null if it is the first.
Result<json::Value> predecessor(const registry::Registry& registry,
                                const json::Value& package_revision);

/// The name of the set whose variant owns the revision; "" if there is none.
std::string set_of(const registry::Registry& registry, const json::Value& package_revision);

}  // namespace portico::packages
