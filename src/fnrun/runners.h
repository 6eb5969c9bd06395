// Dispatches each function to the runner for it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/function_config.h"
#include "base/meter.h"
#include "fnrun/builtin.h"
#include "fnrun/cache.h"
#include "fnrun/choice.h"
#include "fnrun/container.h"
#include "fnrun/exec.h"
#include "fnrun/kept.h"
#include "fnrun/remote.h"

namespace portico::fnrun {

struct RunnersOptions {
  bool builtin = true;          // false: built-in functions are run like other images
  std::string function_runner;  // host:port of a server for images without another runner
  bool containers = true;       // run images without another runner in containers
  /// The current configuration; may be empty. Must be thread-safe.
  std::function<std::vector<api::FunctionConfig>()> configs;
  Meter* meter = nullptr;       // borrowed; may be null
  std::size_t cache_bytes = 0;  // for results of programs, servers and containers
  ExecOptions exec;
  ContainerOptions container;
  EvaluatorOptions evaluator;
};

/// Programs (exec) use ExecRunner. Images use the executor from the FunctionConfigs; without one, a
/// built-in function, else the configured server, else ContainerRunner. kInvalid, with the
/// available ways, if nothing may run it. Measures each run.
class Runners final : public render::FunctionRunner {
 public:
  explicit Runners(RunnersOptions options);
  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override;
  ResultCache::Counts cache_counts() const { return cache_.counts(); }

 private:
  using Outcome = Result<render::FunctionOutcome>;
  Outcome dispatch(const render::FunctionRef& function, krm::ResourceList input) const;
  Outcome run_as(const Choice& choice, const render::FunctionRef& function,
                 krm::ResourceList input) const;
  Outcome run_remote(const std::string& address, const render::FunctionRef& function,
                     krm::ResourceList input) const;

  const RunnersOptions options_;
  const BuiltinRunner builtin_;
  const ExecRunner exec_;
  const ContainerRunner container_;
  const ResultCache cache_;
  mutable Kept<RemoteRunner> servers_;
  std::unique_ptr<Meter::Reading> reading_;  // last member: it reads the others
};

}  // namespace portico::fnrun
