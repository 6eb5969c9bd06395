// PackageRevisionResources in the API: the files of package revisions, and updates of drafts.
#pragma once

#include "apiserver/call.h"
#include "apiserver/package_revisions.h"
#include "json/value.h"
#include "kubeapi/options.h"

namespace portico::apiserver {

/// Lists and watches are based on the stored revisions; content is read when an object is shown.
/// The query parameter `path` (a shell pattern, may be repeated) selects the files to include.
class PackageResources : public ResourceHandler {
 public:
  /// `stored` serves lists and watches of views of stored objects; its pump may block.
  PackageResources(PackagesWorld world, ResourceHandler& stored) : world_(world), stored_(stored) {}
  kubeapi::StatusOr<Outcome> serve(Call& call) override;

 private:
  kubeapi::StatusOr<Outcome> get(Call& call);
  kubeapi::StatusOr<Outcome> update(Call& call);
  kubeapi::StatusOr<Outcome> patch(Call& call);
  kubeapi::StatusOr<json::Value> find(const Call& call) const;
  kubeapi::StatusOr<json::Value> live(const Call& call, const json::Value& revision) const;
  /// Writes the files of `wanted` into the draft `revision`; returns the resulting object.
  kubeapi::StatusOr<json::Value> replace(Call& call, const json::Value& revision,
                                         const json::Value& wanted,
                                         const kubeapi::WriteOptions& options);
  /// Logs the change of a draft to `now`; null if there was nothing to store.
  void tell_change(const Call& call, const json::Value& revision, const json::Value& now) const;

  PackagesWorld world_;
  ResourceHandler& stored_;
};

}  // namespace portico::apiserver
