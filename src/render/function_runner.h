// The port through which render runs one function of a pipeline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "krm/object.h"

namespace portico::render {

/// One resource on its way through the pipeline. `file` and `index` are what kpt keeps in the
/// annotations internal.config.kubernetes.io/path and /index: they are shown to a function as
/// annotations only where it runs outside this process.
struct Item {
  krm::Object object;
  std::string file;  // path below the package root; "" for a new resource
  int index = 0;     // document in the file
};

/// kpt's Result (function-spec: results).
struct FunctionResult {
  std::string message;
  std::string severity = "info";  // error, warning, info
  std::optional<krm::ResourceId> resource;
  std::string file;
  int index = 0;
  std::string field_path;
};

struct ResourceList {
  std::vector<Item> items;
  std::optional<krm::Object> function_config;
  std::vector<FunctionResult> results;
};

/// Which function: image or exec as the Kptfile has it.
struct FunctionRef {
  std::string image, exec, tag;
};

/// A function that fails with results hands them back in the list it was given and an error.
struct FunctionOutcome {
  ResourceList list;
  std::string stderr_text;
  int exit_code = 0;
};

/// Safe from any thread.
class FunctionRunner {
 public:
  virtual ~FunctionRunner() = default;
  /// kInvalid where nothing here can run `function` (the message says how to provide it).
  /// An exit code other than 0 is an outcome, not an Error.
  virtual Result<FunctionOutcome> run(const FunctionRef& function, ResourceList input) const = 0;
};

}  // namespace portico::render
