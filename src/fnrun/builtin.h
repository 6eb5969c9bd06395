// The runner for functions that this program has inside.
#pragma once

#include "render/function_runner.h"

namespace portico::fnrun {

/// Runs the functions of functions::catalog() in this process, without any state. Any other image,
/// and exec, is kInvalid with the ways to provide it.
class BuiltinRunner final : public render::FunctionRunner {
 public:
  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override;

  /// True where run() has the function.
  static bool has(const render::FunctionRef& function);
};

}  // namespace portico::fnrun
