// Which PackageVariants an event concerns: an index from what they depend on to their keys. Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "json/value.h"
#include "krm/meta.h"

namespace portico::controllers {

/// Arrow 8 of docs/life-of-a-variant.md. A variant depends on the revisions of its upstream and
/// downstream packages and those it owns, on the Repositories of both packages, on the objects that
/// its injectors name (by name and kind), and on every FunctionConfig. Until it owns its downstream
/// package it also depends on the other variants of that package (concerned_by_downstream_of()).
/// Not thread-safe.
class VariantIndex {
 public:
  VariantIndex() = default;
  VariantIndex(const VariantIndex&) = delete;
  VariantIndex& operator=(const VariantIndex&) = delete;

  /// The current variant; null if it is deleted.
  void put(const krm::ObjectKey& key, const json::Value& variant);

  /// The variants that a change of this object affects, including the object itself if it is a
  /// variant.
  std::set<krm::ObjectKey> concerned(const json::Value& object) const;

  /// The variants that depend on the downstream package of this one, itself included.
  std::set<krm::ObjectKey> concerned_by_downstream_of(const json::Value& variant) const;

 private:
  // One dependency, as separate fields that are never joined into one string.
  struct Dependency {
    enum class What { kPackage, kRepository, kInjected };
    What what = What::kPackage;
    std::string ns;
    std::string first, second;  // repository and package; name; name and kind ("": any)
    auto operator<=>(const Dependency&) const = default;
  };
  static std::vector<Dependency> dependencies(const std::string& ns, const json::Value& variant);
  void add_dependents(const Dependency& dependency, std::set<krm::ObjectKey>& out) const;

  // Each key and each dependency is stored once, because there may be tens of thousands: the sets
  // point to keys of of_, whose vectors point to entries of dependents_.
  using Dependents = std::map<Dependency, std::set<const krm::ObjectKey*>>;
  Dependents dependents_;
  std::map<krm::ObjectKey, std::vector<Dependents::iterator>> of_;
};

}  // namespace portico::controllers
