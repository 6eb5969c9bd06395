// All inputs of a PackageVariantSet's decision, read at one point in time.
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

/// A kind that an objectSelector names.
struct ObjectType {
  std::string api_version, kind;
  auto operator<=>(const ObjectType&) const = default;
};

/// Names in the set's namespace that a decision needs to look up.
struct Asked {
  std::set<std::string, std::less<>> repositories;
  std::set<std::string, std::less<>> variants;  // the intended names of new variants

  bool empty() const { return repositories.empty() && variants.empty(); }
};

/// All lists are sorted by name and complete within their stated scope. A failed or partial list
/// must not be used, because variants missing from it would be deleted. Other objects of the
/// namespace are not included: a decision asks for them by name (SetDecision::asks).
struct SetSnapshot {
  std::shared_ptr<const api::PackageVariantSet> set;
  std::vector<Revision> upstreams;  // revisions of the upstream package
  /// All Repositories that a target selects, and the existing ones among `asked`.
  std::vector<json::Value> repositories;
  /// For each kind that a target selects, at least all selected objects; no entry if the cluster
  /// does not serve the kind.
  std::map<ObjectType, std::vector<json::Value>> objects;
  /// The PackageVariants whose label names this set.
  std::vector<std::shared_ptr<const api::PackageVariant>> variants;
  /// The names that earlier decisions asked for.
  Asked asked{};
  /// The names in `asked` that belong to other PackageVariants, and are therefore not available for
  /// new ones.
  std::set<std::string, std::less<>> foreign_names;
};

}  // namespace portico::variants
