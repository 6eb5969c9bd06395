// The input and output of a function: kpt's ResourceList, in memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "krm/object.h"

namespace portico::krm {

/// One resource in the pipeline. `file`, `index` and `package` correspond to kpt's annotations
/// internal.config.kubernetes.io/path, /index and /package-path. A function sees them as
/// annotations only if it runs outside this process.
struct Item {
  Object object;
  std::string file;     // path below the folder of `package`; "" for a new resource
  int index = 0;        // document in the file; -1: after the existing ones
  std::string package;  // folder of its (sub)package below the root package; "" for the root
  int origin = -1;      // position in the function's input list; -1: created by the function
};

/// The resource that a result concerns.
struct ResourceRef {
  std::string api_version, kind, ns, name;
  bool operator==(const ResourceRef&) const = default;
};

/// kpt's Result (function-spec: results).
struct FunctionResult {
  std::string message;
  std::string severity = "info";  // error, warning, info; "" if the function gave none (means info)
  std::optional<ResourceRef> resource;
  std::string file;
  int index = 0;
  std::string field_path;
  bool operator==(const FunctionResult&) const = default;
};

struct ResourceList {
  std::vector<Item> items;
  std::optional<Object> function_config;
  std::vector<FunctionResult> results;
};

}  // namespace portico::krm
