// PackageRevisionResources over the API: the files of package revisions, and the update of a draft.
#pragma once

#include "apiserver/call.h"
#include "apiserver/package_revisions.h"
#include "json/value.h"
#include "kubeapi/options.h"

namespace portico::apiserver {

/// Lists and watches follow the stored revisions; content is read when it is shown. The query's
/// parameter `path` (a shell pattern, any number of them) leaves only the files that match.
class PackageResources : public ResourceHandler {
 public:
  /// `stored` answers lists and watches of stored objects that a view is of; its pump may block.
  PackageResources(PackagesWorld world, ResourceHandler& stored) : world_(world), stored_(stored) {}
  kubeapi::Reply<Outcome> serve(Call& call) override;

 private:
  kubeapi::Reply<Outcome> get(Call& call);
  kubeapi::Reply<Outcome> update(Call& call);
  kubeapi::Reply<Outcome> patch(Call& call);
  kubeapi::Reply<json::Value> find(const Call& call) const;
  kubeapi::Reply<json::Value> live(const Call& call, const json::Value& revision) const;
  /// Writes the files of `wanted` into the draft `revision`; the object as it is afterwards.
  kubeapi::Reply<json::Value> replace(Call& call, const json::Value& revision,
                                      const json::Value& wanted,
                                      const kubeapi::WriteOptions& options);
  /// The log's line of a draft that is `now`; null where there was nothing to store.
  void tell_change(const Call& call, const json::Value& revision, const json::Value& now) const;

  PackagesWorld world_;
  ResourceHandler& stored_;
};

}  // namespace portico::apiserver
