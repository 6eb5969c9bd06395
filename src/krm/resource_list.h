// What goes into a function and comes out: kpt's ResourceList, in memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "krm/object.h"

namespace portico::krm {

/// One resource on its way through the pipeline. `file`, `index` and `package` are what kpt keeps
/// in the annotations internal.config.kubernetes.io/path, /index and /package-path: they are shown
/// to a function as annotations only where it runs outside this process.
struct Item {
  Object object;
  std::string file;     // path below the folder of `package`; "" for a new resource
  int index = 0;        // document in the file; -1: behind those that are there
  std::string package;  // folder of its (sub)package below the root package; "" for the root
  int origin = -1;  // position in the list that the function was given; -1: made by the function
};

/// What a result is about.
struct ResourceRef {
  std::string api_version, kind, ns, name;
  bool operator==(const ResourceRef&) const = default;
};

/// kpt's Result (function-spec: results).
struct FunctionResult {
  std::string message;
  std::string severity = "info";  // error, warning, info; "" where the function named none (info)
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
