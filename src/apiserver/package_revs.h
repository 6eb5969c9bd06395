// PackageRevs: Porch's internal records of package revisions, here derived from the revisions.
#pragma once

#include "apiserver/call.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// The PackageRev of one stored package revision: its metadata and nothing else. Pure.
json::Value package_rev_of(const json::Value& revision);

/// The resource packagerevs: get, list and watch.
class PackageRevs : public ResourceHandler {
 public:
  /// `stored` serves lists and watches. Both must outlive the handler.
  PackageRevs(const registry::Registry& registry, ResourceHandler& stored)
      : registry_(registry), stored_(stored) {}
  kubeapi::StatusOr<Outcome> serve(Call& call) override;

 private:
  const registry::Registry& registry_;
  ResourceHandler& stored_;
};

}  // namespace portico::apiserver
