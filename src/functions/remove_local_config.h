// remove-local-config-resources: removes resources that are not for the cluster.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Removes resources whose annotation config.kubernetes.io/local-config is "true" in any letter
/// case. No config. Sources: kpt catalog remove-local-config-resources.
Outcome remove_local_config_resources(krm::ResourceList list);

}  // namespace portico::functions
