// A registry that keeps package revisions as PackageRevs, as a cluster does that has no Porch: of
// its kinds only those with a CustomResourceDefinition are stored.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "krm/meta.h"
#include "registry/indexed_field.h"
#include "registry/registry.h"

namespace portico::packages {

/// config.porch.kpt.dev PackageRev.
const krm::GroupKind& package_rev_kind();

/// The PackageRev that a PackageRevision is kept as: its metadata, with spec and status of the
/// revision in `status.packageRevision`. Pure.
json::Value kept_as_package_rev(const json::Value& revision);

/// The inverse; null for a PackageRev that says nothing of a revision (yet), as Porch's own. Pure.
json::Value revision_kept_in(const json::Value& package_rev);

/// The label by which Porch knows the PackageRevs of a repository.
inline constexpr std::string_view kPorchRepositoryLabel = "internal.porch.kpt.dev/repository";

/// Whether Porch made it, which keeps metadata alone in a PackageRev, and nothing else has been
/// kept in it since. Pure.
bool left_by_porch(const json::Value& package_rev);

/// `wanted`, a PackageRev, with labels, annotations, owners and finalizers of the one that Porch
/// left under its name: where both have a label or annotation, `wanted`'s. Porch's own marks, and
/// the Repository as owner, are left out. Pure.
json::Value taken_over(const json::Value& left, const json::Value& wanted);

/// The same indexes over what PackageRevisions are kept as.
std::vector<registry::IndexedField> over_package_revs(std::vector<registry::IndexedField> indexes);

/// Shows the PackageRevs of `below` as PackageRevisions, and writes these as those; all other kinds
/// go through as they are. `below` has the indexes over_package_revs() and outlives it; `indexes`
/// are those that queries name. As registry.h says of `below`, but:
/// - a PackageRev without a revision is not there.
/// - metadata.generation is the PackageRev's.
/// - Where the definition of PackageRevs has a status of its own, a new one is made by two writes;
///   it is not there before the second. One that was left there is completed by who makes it again;
///   one that Porch left is taken_over().
/// - Where the definition does not keep what a revision is, to make one is kInvalid.
std::unique_ptr<registry::Registry> revisions_over_package_revs(
    registry::Registry& below, std::vector<registry::IndexedField> indexes);

}  // namespace portico::packages
