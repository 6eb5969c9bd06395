// The FunctionConfigs in a registry.
#pragma once

#include <vector>

#include "api/function_config.h"
#include "registry/registry.h"

namespace portico::engine {

/// In the form that function runners take. Skips those that cannot be decoded; returns none if the
/// registry cannot be listed. Thread-safe.
std::vector<api::FunctionConfig> function_configs(const registry::Registry& registry);

}  // namespace portico::engine
