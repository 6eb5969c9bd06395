// Selects the executor that the FunctionConfigs configure for an image.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/function_config.h"

namespace portico::fnrun {

enum class Executor { kBuiltin, kProgram, kRemote, kContainer };

struct Choice {
  Executor executor = Executor::kContainer;
  std::string what;  // name of the built-in, path of the program, or host:port of the server
};

/// Uses the first config, in the given order, that has an executor for the image: the last path
/// element is the config's image, the rest is one of its prefixes (if it has any), and the executor
/// lists the tag ("latest" if there is none; gRPC and pod executors without tags accept any tag).
/// If a config has several executors, the order is built-in, program, server, container.
std::optional<Choice> choose(const std::vector<api::FunctionConfig>& configs,
                             std::string_view image);

}  // namespace portico::fnrun
