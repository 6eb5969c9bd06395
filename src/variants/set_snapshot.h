// Everything that decides what a PackageVariantSet has to do, as read at one moment.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "api/package_variant_set.h"
#include "json/value.h"
#include "variants/revision.h"

namespace portico::variants {

/// The kind an objectSelector names.
struct ObjectType {
  std::string api_version, kind;
  auto operator<=>(const ObjectType&) const = default;
};

/// Lists are whole and in order of names: a list that failed or is partial must not come here, for
/// what is missing from it would be deleted.
struct SetSnapshot {
  std::shared_ptr<const api::PackageVariantSet> set;
  std::vector<Revision> upstreams;        // revisions of the upstream package
  std::vector<json::Value> repositories;  // of the set's namespace
  /// For each kind that a target selects, the objects of the namespace; no entry where the cluster
  /// does not serve the kind.
  std::map<ObjectType, std::vector<json::Value>> objects;
  /// The PackageVariants whose label names this set.
  std::vector<std::shared_ptr<const api::PackageVariant>> variants;
  /// Names of the namespace's other PackageVariants, which a new one cannot have.
  std::set<std::string, std::less<>> foreign_names;
};

/// The kinds that a set's targets select by objectSelector: what to list for a snapshot.
std::set<ObjectType> selected_types(const api::PackageVariantSetSpec& spec);

}  // namespace portico::variants
