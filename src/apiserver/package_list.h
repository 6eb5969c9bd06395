// PorchPackages: the packages of the package revisions, computed from the revisions on request.
#pragma once

#include <string>
#include <vector>

#include "apiserver/call.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// One PorchPackage for each package of `revisions`, ordered by namespace and name. Its name is the
/// repository's and the package's, with dots for slashes; it has the latest revision and a creation
/// time. Pure.
std::vector<json::Value> packages_of(const std::vector<json::Value>& revisions);

/// The resource packages: get, list and watch. Packages are created and deleted through their
/// revisions.
class PackageList : public ResourceHandler {
 public:
  /// `watched` serves watches, over a PackageView. Both must outlive the handler.
  PackageList(const registry::Registry& registry, ResourceHandler& watched)
      : registry_(registry), watched_(watched) {}
  kubeapi::StatusOr<Outcome> serve(Call& call) override;

 private:
  const registry::Registry& registry_;
  ResourceHandler& watched_;
};

}  // namespace portico::apiserver
