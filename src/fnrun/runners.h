// Chooses for each function what runs it.
#pragma once

#include "fnrun/builtin.h"
#include "fnrun/container.h"
#include "fnrun/exec.h"

namespace portico::fnrun {

struct RunnersOptions {
  bool builtin = true;  // false: images run in containers, those that are built in too
  ExecOptions exec;
  ContainerOptions container;
};

/// Built-in functions in this process, programs by ExecRunner, all other images by
/// ContainerRunner. Times each run.
class Runners final : public render::FunctionRunner {
 public:
  explicit Runners(RunnersOptions options)
      : use_builtin_(options.builtin),
        exec_(std::move(options.exec)),
        container_(std::move(options.container)) {}
  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override;

 private:
  const render::FunctionRunner& runner_for(const render::FunctionRef& function) const;

  const bool use_builtin_;
  const BuiltinRunner builtin_;
  const ExecRunner exec_;
  const ContainerRunner container_;
};

}  // namespace portico::fnrun
