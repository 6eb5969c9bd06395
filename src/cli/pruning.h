// `apply --prune --applyset`: deletes objects that were applied before and are no longer wanted.
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
  /// Marks `wanted` as members, and adds their kinds and namespaces to those in the set's parent
  /// before anything is applied, so that an interrupted apply loses track of nothing. kInvalid if
  /// the parent or an object belongs to another apply set. In a dry run neither this nor finish()
  /// stores anything.
  static Result<Pruning> begin(registry::Registry& registry, const std::string& applyset,
                               const std::string& ns, std::vector<engine::Wanted>& wanted,
                               engine::Trial trial = engine::Trial::kNo);

  /// Deletes the members that are not wanted, by kind, namespace and name, and reduces the parent's
  /// kinds and namespaces to those in use. Returns what was, or would be, deleted.
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
