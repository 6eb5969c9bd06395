// Presents the stored package revisions as packages: the registry behind watches of packages.
#pragma once

#include "registry/forwarding_registry.h"

namespace portico::apiserver {

/// Lists and watches return PorchPackages (packages_of), whatever kind they ask for; everything
/// else is passed to the registry `below`, which must outlive the view. A watch reports a package
/// when it appears, when its latest revision changes and when its last revision is gone, at the
/// version of that change. Lists are not paged.
class PackageView : public registry::ForwardingRegistry {
 public:
  explicit PackageView(registry::Registry& below) : ForwardingRegistry(below), below_(below) {}

  using Registry::watch;
  Result<registry::Listing> list(const registry::Query& query) const override;
  std::unique_ptr<registry::Watch> watch(const registry::Query& query,
                                         registry::ResourceVersion from,
                                         registry::OnReady on_ready) override;

 private:
  registry::Registry& below_;
};

}  // namespace portico::apiserver
