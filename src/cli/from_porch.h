// The decisions of `portico migrate --from-porch`: a fleet stays in its cluster, and Portico's
// servers take over from Porch. Pure.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace portico::cli {

/// The server of porch.kpt.dev behind a kube-apiserver.
enum class PackageServer {
  kPorch,    // or none: Porch's APIService may have been removed with it
  kServers,  // `portico serve --kubernetes`
  kVolume,   // one `portico serve` with a volume; serves config.porch.kpt.dev, too
};
/// Decides by the APIServices of porch.kpt.dev, portico.dev and config.porch.kpt.dev; null for a
/// missing one.
PackageServer package_server(const json::Value& porch, const json::Value& own,
                             const json::Value& config);

/// Whether a Deployment runs Porch's controllers of variants or sets: decided by the environment
/// variables, or --reconcilers, that enable them.
bool keeps_variants(const json::Value& deployment);

/// Whether it runs `portico controllers`: decided by the label from the manifests.
bool is_portico_controllers(const json::Value& deployment);

/// Suspends a set or variant until the fleet is taken over; unchanged if it is already suspended.
json::Value at_rest_for_now(const json::Value& object);
/// Whether at_rest_for_now() suspended it.
bool rests_for_now(const json::Value& object);
/// The inverse of at_rest_for_now().
json::Value awake_again(const json::Value& object);

/// The PackageRev in which Porch would keep a revision's metadata in the cluster, for a Porch that
/// keeps it in a database. Omits what Porch computes when asked.
json::Value remembered(const json::Value& revision);

}  // namespace portico::cli
