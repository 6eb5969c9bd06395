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

/// Names that a decision has to know of, in the set's namespace.
struct Asked {
  std::set<std::string, std::less<>> repositories;
  std::set<std::string, std::less<>> variants;  // a new one is to be called so

  bool empty() const { return repositories.empty() && variants.empty(); }
};

/// Lists are in order of names, and whole as far as they are said to go: a list that failed or is
/// partial must not come here, for what is missing from it would be deleted. Nothing else of the
/// namespace is in it: what a decision rests on by name it asks for (SetDecision::asks).
struct SetSnapshot {
  std::shared_ptr<const api::PackageVariantSet> set;
  std::vector<Revision> upstreams;  // revisions of the upstream package
  /// All that a target selects, and of `asked` those that are there.
  std::vector<json::Value> repositories;
  /// For each kind that a target selects, all objects that are selected, and perhaps others; no
  /// entry where the cluster does not serve the kind.
  std::map<ObjectType, std::vector<json::Value>> objects;
  /// The PackageVariants whose label names this set.
  std::vector<std::shared_ptr<const api::PackageVariant>> variants;
  /// What was asked for by name.
  Asked asked{};
  /// Of those the PackageVariants that are not this set's: a new one cannot have their names.
  std::set<std::string, std::less<>> foreign_names;
};

}  // namespace portico::variants
