// Chooses for each function what runs it.
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
  bool builtin = true;          // false: built-in functions run where other images do
  std::string function_runner;  // host:port of the server for images that nothing else runs
  bool containers = true;       // images that nothing else runs run in containers
  /// What is configured at the time of a run; may be empty. Called from any thread.
  std::function<std::vector<api::FunctionConfig>()> configs;
  Meter* meter = nullptr;       // borrowed; may be null
  std::size_t cache_bytes = 0;  // of results of programs, servers and containers
  ExecOptions exec;
  ContainerOptions container;
  EvaluatorOptions evaluator;
};

/// A program (exec) by ExecRunner. An image as the FunctionConfigs say; where none does, by what is
/// built in, else by the server of the options, else by ContainerRunner; kInvalid, with the ways
/// that there are, where nothing may run it. Times each run.
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
  std::unique_ptr<Meter::Reading> reading_;  // last: it asks the others
};

}  // namespace portico::fnrun
