// Which executor the FunctionConfigs name for an image.
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
  std::string what;  // the built-in's name, the program's path, the server's host:port
};

/// The first config, in the order given, that has an executor for the image: its last path element
/// is the config's image, what stands in front of it is one of the prefixes (where there are any),
/// and the executor lists its tag ("latest" for none; gRPC and pods without tags take every tag).
/// Of several executors built-in comes first, then the program, the server, the container.
std::optional<Choice> choose(const std::vector<api::FunctionConfig>& configs,
                             std::string_view image);

}  // namespace portico::fnrun
