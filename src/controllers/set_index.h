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

/// Arrow 1 of docs/life-of-a-variant.md. A set depends on the revisions of its upstream package,
/// the Repositories and objects that its targets name or select, and its own variants. Not safe
/// from several threads.
class SetIndex {
 public:
  /// The set as it is now; null when it is gone. One that does not decode depends on itself only.
  void put(const krm::ObjectKey& key, const json::Value& set);

  /// The sets that a change from `previous` (null: new) to `object` (for a deletion both are its
  /// last state) concerns: a selector counts where it matches either.
  std::set<krm::ObjectKey> concerned(const json::Value& object, const json::Value& previous) const;

  /// The set that controls this PackageVariant, if any: its status counts the variant.
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
