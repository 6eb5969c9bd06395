// The resources currently served: the built-in ones, and those of the stored
// CustomResourceDefinitions.
#pragma once

#include <memory>
#include <string>

#include "base/guarded.h"
#include "json/value.h"
#include "kubeapi/resource_type.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Thread-safe. A catalog that now() has returned does not change.
class LiveCatalog {
 public:
  /// Loads the registry's definitions, only those of `only_group` if it is not empty. A definition
  /// that cannot be served is skipped: its status says why.
  static Result<std::unique_ptr<LiveCatalog>> open(const registry::Registry& registry,
                                                   const std::string& only_group = {});

  std::shared_ptr<const kubeapi::Catalog> now() const;

  /// Whether the resource that it defines is served without it.
  static bool is_builtin(const json::Value& definition);

  /// Call after a definition was stored or deleted.
  void put(const json::Value& definition);
  void remove(const json::Value& definition);

 private:
  explicit LiveCatalog(std::string only_group);
  bool is_served(const json::Value& definition) const;

  const std::string only_group_;
  Guarded<std::shared_ptr<const kubeapi::Catalog>> catalog_;
};

}  // namespace portico::apiserver
