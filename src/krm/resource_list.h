// What goes into a function and comes out: kpt's ResourceList, in memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "krm/object.h"

namespace portico::krm {

/// One resource on its way through the pipeline. `file` and `index` are what kpt keeps in the
/// annotations internal.config.kubernetes.io/path and /index: they are shown to a function as
/// annotations only where it runs outside this process.
struct Item {
  Object object;
  std::string file;  // path below the package root; "" for a new resource
  int index = 0;     // document in the file
};

/// kpt's Result (function-spec: results).
struct FunctionResult {
  std::string message;
  std::string severity = "info";  // error, warning, info
  std::optional<ResourceId> resource;
  std::string file;
  int index = 0;
  std::string field_path;
};

struct ResourceList {
  std::vector<Item> items;
  std::optional<Object> function_config;
  std::vector<FunctionResult> results;
};

}  // namespace portico::krm
