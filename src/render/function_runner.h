// The interface through which render runs the functions of a pipeline.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "krm/resource_list.h"

namespace portico::render {

/// A function: image or exec as in the Kptfile.
struct FunctionRef {
  std::string image, exec, tag;
};

/// A function that fails with results returns them in `list`, with a nonzero exit code.
struct FunctionOutcome {
  krm::ResourceList list;
  std::string stderr_text;
  int exit_code = 0;
  std::chrono::milliseconds took{0};  // 0 if the runner does not measure
  std::string image = {};             // the image that ran if a constraint selected it; else ""
  bool may_pass = false;              // it failed, but possibly not because of the function itself
};

/// Thread-safe.
class FunctionRunner {
 public:
  virtual ~FunctionRunner() = default;
  /// kInvalid if nothing here can run `function` (the message says how to provide it); refused()
  /// (base/world_error.h) if an operator can fix that elsewhere, or it took too long. A nonzero
  /// exit code is an outcome, not an Error.
  virtual Result<FunctionOutcome> run(const FunctionRef& function,
                                      krm::ResourceList input) const = 0;
};

}  // namespace portico::render
