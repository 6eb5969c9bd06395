// The life of CustomResourceDefinitions in a registry: their names are accepted, and their objects
// go with them.
#pragma once

#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Does at once, after a write, what Kubernetes' controllers do some time later. Safe from any
/// thread. Both must outlive it.
class Definitions {
 public:
  Definitions(registry::Registry& registry, const Clock& clock)
      : registry_(registry), clock_(clock) {}

  /// Brings the status of every definition of the group ("": of all groups) up to date, and lets go
  /// those that are being deleted and have no objects left.
  Result<Done> settle(std::string_view group);

  /// Marks the definition as being deleted and deletes its objects; it goes with the last of them.
  /// The definition as marked. Objects of a kind that is there without a definition (`keeps`) stay,
  /// and the definition goes at once.
  Result<json::Value> remove(const json::Value& definition, bool keeps);

 private:
  /// What it is then; null where it is gone.
  Result<json::Value> settle_one(const json::Value& definition,
                                 const std::vector<json::Value>& others);

  registry::Registry& registry_;
  const Clock& clock_;
};

}  // namespace portico::apiserver
