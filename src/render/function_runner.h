// The port through which render runs one function of a pipeline.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "krm/resource_list.h"

namespace portico::render {

/// Which function: image or exec as the Kptfile has it.
struct FunctionRef {
  std::string image, exec, tag;
};

/// A function that fails with results hands them back in the list it was given and an error.
struct FunctionOutcome {
  krm::ResourceList list;
  std::string stderr_text;
  int exit_code = 0;
  std::chrono::milliseconds took{0};  // 0 where the runner has no clock
  std::string image = {};             // what was run, where a constraint chose it; else ""
  bool may_pass = false;  // it failed, and whether that is the function's own doing is not known
};

/// Safe from any thread.
class FunctionRunner {
 public:
  virtual ~FunctionRunner() = default;
  /// kInvalid where nothing here can run `function` (the message says how to provide it), refused
  /// (base/world_error.h) where a person can mend that elsewhere or it took too long.
  /// An exit code other than 0 is an outcome, not an Error.
  virtual Result<FunctionOutcome> run(const FunctionRef& function,
                                      krm::ResourceList input) const = 0;
};

}  // namespace portico::render
