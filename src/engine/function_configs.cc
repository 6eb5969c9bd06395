#include "engine/function_configs.h"

#include "api/kinds.h"

namespace portico::engine {

std::vector<api::FunctionConfig> function_configs(const registry::Registry& registry) {
  std::vector<api::FunctionConfig> out;
  const auto listed = registry.list({.type = api::function_config_kind()});
  if (!listed) return out;
  for (const json::Value& object : listed->objects)
    if (auto config = api::decode<api::FunctionConfig>(object)) out.push_back(*std::move(config));
  return out;
}

}  // namespace portico::engine
