// Owners of an object's replicas, seen through its subresource scale.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "fieldset/managers.h"
#include "fieldset/path.h"

namespace portico::fieldset {

inline constexpr std::string_view kScaleVersion = "autoscaling/v1";

/// Where each version of a kind has its replicas, by apiVersion.
using ReplicasPaths = std::map<std::string, Path, std::less<>>;

/// The owners of the Scale of an object: those who own its replicas.
Managers owners_of_scale(const Managers& owners, const ReplicasPaths& paths);

/// The owners of the object in `api_version` after those of its Scale became `scale`: who no longer
/// owns the replicas there has lost them here, who is new there is new here. Entries of versions
/// that are gone are dropped.
Managers with_owners_of_scale(const Managers& owners, const Managers& scale,
                              const ReplicasPaths& paths, std::string_view api_version);

}  // namespace portico::fieldset
