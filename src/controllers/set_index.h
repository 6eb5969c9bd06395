// Which PackageVariantSets an event concerns. Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/package_variant_set.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::controllers {

/// Arrow 1 of docs/life-of-a-variant.md. A set depends on the revisions of its upstream package, on
/// the Repositories and objects that its targets name or select, and on its own variants. Not
/// thread-safe.
class SetIndex {
 public:
  /// The current set; null if it is deleted. A set that does not decode depends only on itself.
  void put(const krm::ObjectKey& key, const json::Value& set);

  /// The sets affected by a change from `previous` to `object`; null if it is new, or deleted,
  /// which `object` was the last state of. A set is affected if its selector matches either; but of
  /// objects other than Repositories it uses the metadata alone.
  std::set<krm::ObjectKey> concerned(const json::Value& object, const json::Value& previous) const;

  /// The set that controls this PackageVariant, if any; its status counts the variant.
  static std::optional<krm::ObjectKey> owner_of(const json::Value& variant);

 private:
  struct Selected {
    krm::GroupKind type;
    std::string name;  // "" for any
    krm::LabelSelector labels;
  };
  struct Needs {
    std::string upstream_repo, upstream_package;
    std::set<std::string> repositories;  // by name
    bool any_repository = false;  // an expression or a selector finds the repository of a target
    std::vector<Selected> selected;
  };
  static Needs needs_of(const json::Value& set);

  std::map<std::string, std::map<krm::ObjectKey, Needs>> by_namespace_;
};

}  // namespace portico::controllers
