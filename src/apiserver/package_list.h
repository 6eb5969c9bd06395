// PorchPackages: the packages that package revisions are of, made from those when somebody asks.
#pragma once

#include <string>
#include <vector>

#include "apiserver/call.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// One PorchPackage for each package of `revisions`, by namespace and name: the repository's and
/// the package's with dots for slashes, its latest revision, since when it is there. Pure.
std::vector<json::Value> packages_of(const std::vector<json::Value>& revisions);

/// The resource packages: get, list and watch. Packages are made and deleted through their
/// revisions.
class PackageList : public ResourceHandler {
 public:
  /// `watched` answers watches, over a PackageView. Both outlive the handler.
  PackageList(const registry::Registry& registry, ResourceHandler& watched)
      : registry_(registry), watched_(watched) {}
  kubeapi::Reply<Outcome> serve(Call& call) override;

 private:
  const registry::Registry& registry_;
  ResourceHandler& watched_;
};

}  // namespace portico::apiserver
