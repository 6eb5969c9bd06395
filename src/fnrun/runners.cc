#include "fnrun/runners.h"

#include <chrono>

namespace portico::fnrun {

const render::FunctionRunner& Runners::runner_for(const render::FunctionRef& function) const {
  if (!function.exec.empty()) return exec_;
  if (use_builtin_ && BuiltinRunner::has(function)) return builtin_;
  return container_;
}

Result<render::FunctionOutcome> Runners::run(const render::FunctionRef& function,
                                             krm::ResourceList input) const {
  const auto begin = std::chrono::steady_clock::now();
  PORTICO_TRY(render::FunctionOutcome outcome,
              runner_for(function).run(function, std::move(input)));
  outcome.took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  return outcome;
}

}  // namespace portico::fnrun
