// What `portico migrate --from-porch` decides: a fleet that stays where it is, in a cluster, and is
// looked after by Portico's servers in Porch's place. Pure.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace portico::cli {

/// Who serves porch.kpt.dev behind a kube-apiserver.
enum class PackageServer {
  kPorch,    // or nobody: Porch's APIService may have gone with it
  kServers,  // `portico serve --kubernetes`
  kVolume,   // one `portico serve` with a volume, which serves config.porch.kpt.dev, too
};
/// By the APIServices of porch.kpt.dev, of portico.dev and of config.porch.kpt.dev; null for one
/// that is not there.
PackageServer package_server(const json::Value& porch, const json::Value& own,
                             const json::Value& config);

/// Whether a Deployment runs Porch's controllers of variants or sets: by the environment, or
/// --reconcilers, that switches them on.
bool keeps_variants(const json::Value& deployment);

/// Whether it runs `portico controllers`: by the label that the manifests give it.
bool is_portico_controllers(const json::Value& deployment);

/// A set or variant suspended until the fleet is taken over; as it is where it is suspended
/// already.
json::Value at_rest_for_now(const json::Value& object);
/// Whether at_rest_for_now() suspended it.
bool rests_for_now(const json::Value& object);
/// The inverse.
json::Value awake_again(const json::Value& object);

/// The PackageRev by which Porch would keep a revision's metadata in the cluster: for those of a
/// Porch that keeps them in a database. Without what only Porch says of it.
json::Value remembered(const json::Value& revision);

}  // namespace portico::cli
