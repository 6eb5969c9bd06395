// The stored package revisions as the packages that they are of: what watches of packages read.
#pragma once

#include "registry/through.h"

namespace portico::apiserver {

/// Lists and watches are of PorchPackages (packages_of), whatever kind they ask for; all else is
/// the registry's below, which outlives it. A watch says of a package when it comes, when its
/// latest revision changes and when its last revision has gone, with the version of that change.
/// Lists have one page.
class PackageView : public registry::Through {
 public:
  explicit PackageView(registry::Registry& below) : Through(below), below_(below) {}

  using Registry::watch;
  Result<registry::Listing> list(const registry::Query& query) const override;
  std::unique_ptr<registry::Watch> watch(const registry::Query& query,
                                         registry::ResourceVersion from,
                                         registry::OnReady on_ready) override;

 private:
  registry::Registry& below_;
};

}  // namespace portico::apiserver
