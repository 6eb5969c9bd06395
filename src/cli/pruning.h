// `apply --prune --applyset`: what was applied before and is not wanted any more goes.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "apply/applyset.h"
#include "base/result.h"
#include "engine/applying.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::cli {

class Pruning {
 public:
  /// Makes members of `wanted`, and stores the set's parent with their kinds and namespaces beside
  /// those that it had, so that nothing is lost sight of where what follows is cut short. kInvalid
  /// where the parent or one of the objects belongs to somebody else. As a trial, neither this nor
  /// finish() stores anything.
  static Result<Pruning> begin(registry::Registry& registry, const std::string& applyset,
                               const std::string& ns, std::vector<engine::Wanted>& wanted,
                               engine::Trial trial = engine::Trial::kNo);

  /// Deletes the members that are not wanted, by kind, namespace and name, and stores the parent
  /// with the kinds and namespaces that are left. What was deleted, or would be.
  Result<std::vector<json::Value>> finish(registry::Registry& registry);

 private:
  Result<Done> store_parent(registry::Registry& registry, const std::set<krm::GroupKind>& kinds,
                            const std::set<std::string>& namespaces) const;

  engine::Trial trial_ = engine::Trial::kNo;
  apply::ApplysetParent parent_;
  std::set<krm::ObjectKey> wanted_;
  std::set<krm::GroupKind> kinds_, before_;
  std::set<std::string> namespaces_, namespaces_before_;
};

}  // namespace portico::cli
