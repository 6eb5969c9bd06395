// The resources that are served now: those that are always there, and what the stored
// CustomResourceDefinitions define.
#pragma once

#include <memory>

#include "base/guarded.h"
#include "json/value.h"
#include "kubeapi/resource_type.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Safe from any thread. A catalog that was handed out does not change.
class LiveCatalog {
 public:
  /// With the definitions that the registry has. One that cannot be served is passed over: its
  /// status says why.
  static Result<std::unique_ptr<LiveCatalog>> open(const registry::Registry& registry);

  std::shared_ptr<const kubeapi::Catalog> now() const;

  /// Whether what it defines is there without it.
  static bool is_builtin(const json::Value& definition);

  /// A definition was stored, or is gone.
  void put(const json::Value& definition);
  void remove(const json::Value& definition);

 private:
  LiveCatalog();
  Guarded<std::shared_ptr<const kubeapi::Catalog>> catalog_;
};

}  // namespace portico::apiserver
