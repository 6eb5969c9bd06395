// The FunctionConfigs that a registry has.
#pragma once

#include <vector>

#include "api/function_config.h"
#include "registry/registry.h"

namespace portico::engine {

/// As the runners of functions take them; one that cannot be read is left out, and so are all where
/// the registry cannot be listed. Safe from any thread.
std::vector<api::FunctionConfig> function_configs(const registry::Registry& registry);

}  // namespace portico::engine
