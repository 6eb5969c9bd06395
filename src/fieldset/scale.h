// Converts owners of replicas between an object and its scale subresource.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "fieldset/managers.h"
#include "fieldset/path.h"

namespace portico::fieldset {

inline constexpr std::string_view kScaleVersion = "autoscaling/v1";

/// The path of the replicas in each version of a kind, by apiVersion.
using ReplicasPaths = std::map<std::string, Path, std::less<>>;

/// The owners of an object's Scale: the managers that own its replicas.
Managers owners_of_scale(const Managers& owners, const ReplicasPaths& paths);

/// The owners of the object in `api_version` after its Scale has the owners `scale`: managers that
/// no longer own the replicas there lose them here, and new owners there are added here. Entries of
/// versions without a path are dropped.
Managers with_owners_of_scale(const Managers& owners, const Managers& scale,
                              const ReplicasPaths& paths, std::string_view api_version);

}  // namespace portico::fieldset
