// The resources that are served now: those that are always there, and what the stored
// CustomResourceDefinitions define.
#pragma once

#include <memory>
#include <string>

#include "base/guarded.h"
#include "json/value.h"
#include "kubeapi/resource_type.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Safe from any thread. A catalog that was handed out does not change.
class LiveCatalog {
 public:
  /// With the definitions that the registry has, of one group where `only_group` names it. One that
  /// cannot be served is passed over: its status says why.
  static Result<std::unique_ptr<LiveCatalog>> open(const registry::Registry& registry,
                                                   const std::string& only_group = {});

  std::shared_ptr<const kubeapi::Catalog> now() const;

  /// Whether what it defines is there without it.
  static bool is_builtin(const json::Value& definition);

  /// A definition was stored, or is gone.
  void put(const json::Value& definition);
  void remove(const json::Value& definition);

 private:
  explicit LiveCatalog(std::string only_group);
  bool is_served(const json::Value& definition) const;

  const std::string only_group_;
  Guarded<std::shared_ptr<const kubeapi::Catalog>> catalog_;
};

}  // namespace portico::apiserver
