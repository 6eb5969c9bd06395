// A registry that stores package revisions as PackageRevs, for clusters without Porch, where only
// kinds with a CustomResourceDefinition can be stored.
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

/// The PackageRev that stores a PackageRevision: its metadata, with the revision's spec and status
/// in `status.packageRevision`. Pure.
json::Value kept_as_package_rev(const json::Value& revision);

/// The inverse; null for a PackageRev without a revision: not complete yet, or Porch's own. Pure.
json::Value revision_kept_in(const json::Value& package_rev);

/// The label with which Porch marks the PackageRevs of a repository.
inline constexpr std::string_view kPorchRepositoryLabel = "internal.porch.kpt.dev/repository";

/// Whether Porch created it (Porch stores only metadata in a PackageRev) and no revision was stored
/// in it since. Pure.
bool left_by_porch(const json::Value& package_rev);

/// `wanted`, a PackageRev, merged with the labels, annotations, owners and finalizers of the one
/// that Porch left under its name; on conflicts `wanted` wins. Drops Porch's internal marks, and
/// the Repository as owner. Pure.
json::Value taken_over(const json::Value& left, const json::Value& wanted);

/// The same indexes over the stored form of PackageRevisions.
std::vector<registry::IndexedField> over_package_revs(std::vector<registry::IndexedField> indexes);

/// Presents the PackageRevs in `below` as PackageRevisions, and stores PackageRevisions as
/// PackageRevs; other kinds pass through unchanged. `below` must have the indexes
/// over_package_revs() and outlive it; `indexes` are the ones that queries name. Behaves as
/// registry.h requires of `below`, except:
/// - A PackageRev without a revision is hidden.
/// - metadata.generation is the PackageRev's.
/// - If the definition of PackageRevs has the status subresource, a create takes two writes and is
///   visible only after the second. One that was left after the first write is completed by the
///   next create; one that Porch left is taken_over().
/// - If the definition does not preserve status.packageRevision, a create is kInvalid.
std::unique_ptr<registry::Registry> revisions_over_package_revs(
    registry::Registry& below, std::vector<registry::IndexedField> indexes);

}  // namespace portico::packages
