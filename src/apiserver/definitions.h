// The lifecycle of CustomResourceDefinitions in a registry: accepting names, and deleting the
// custom resources together with their definition.
#pragma once

#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Does right after a write what Kubernetes' controllers do asynchronously. Thread-safe. Both
/// arguments must outlive it.
class Definitions {
 public:
  Definitions(registry::Registry& registry, const Clock& clock)
      : registry_(registry), clock_(clock) {}

  /// Updates the status of every definition of the group ("": of all groups), and removes the
  /// cleanup finalizer of definitions that are being deleted and have no objects left.
  Result<Done> settle(std::string_view group);

  /// Marks the definition as being deleted and deletes its objects; it is removed with the last of
  /// them. Returns the marked definition. If `keeps`, because the kind is served without a
  /// definition, the objects stay and the definition is deleted immediately.
  Result<json::Value> remove(const json::Value& definition, bool keeps);

 private:
  /// Returns the settled definition; null if it is gone.
  Result<json::Value> settle_one(const json::Value& definition,
                                 const std::vector<json::Value>& others);

  registry::Registry& registry_;
  const Clock& clock_;
};

}  // namespace portico::apiserver
