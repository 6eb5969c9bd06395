// Runs the functions that are built into this program.
#pragma once

#include "render/function_runner.h"

namespace portico::fnrun {

/// Runs the functions of functions::catalog() in this process, without state. Any other image, and
/// exec, is kInvalid with a hint how to provide it.
class BuiltinRunner final : public render::FunctionRunner {
 public:
  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override;

  /// Whether run() has the function.
  static bool has(const render::FunctionRef& function);
};

}  // namespace portico::fnrun
