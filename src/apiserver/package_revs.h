// PackageRevs: Porch's own records of package revisions, which here are read from those.
#pragma once

#include "apiserver/call.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// One for each stored package revision, with its metadata and nothing else. Pure.
json::Value package_rev_of(const json::Value& revision);

/// The resource packagerevs: get, list and watch.
class PackageRevs : public ResourceHandler {
 public:
  /// `stored` answers lists and watches. Both outlive the handler.
  PackageRevs(const registry::Registry& registry, ResourceHandler& stored)
      : registry_(registry), stored_(stored) {}
  kubeapi::Reply<Outcome> serve(Call& call) override;

 private:
  const registry::Registry& registry_;
  ResourceHandler& stored_;
};

}  // namespace portico::apiserver
