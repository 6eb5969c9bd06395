// Runs the functions that are programs: `exec` in a Kptfile, --exec of fn eval.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fnrun/cage.h"
#include "process/process.h"
#include "render/function_runner.h"

namespace portico::fnrun {

struct ExecOptions {
  /// In a cage (cage.h), with only the environment that a program needs to run, and with a limit on
  /// what all its processes use together.
  bool sandbox = true;
  Cage cage;
  std::vector<std::string> environment;  // NAME=value, or NAME for this process's value
  process::Limits limits;
};

/// The words of a command as a shell has them: blanks separate, quotes and backslashes keep
/// together. kInvalid for quotes that do not end and for no words at all.
Result<std::vector<std::string>> split_command(std::string_view command);

/// A program reads a ResourceList and writes one; outside of a cage in the working folder of this
/// process. kInvalid,
/// naming program and reason, for one that cannot be run, breaks a limit or writes what is no
/// ResourceList although it went well, and for a sandbox that the system does not allow.
class ExecRunner final : public render::FunctionRunner {
 public:
  explicit ExecRunner(ExecOptions options) : options_(std::move(options)) {}
  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override;

 private:
  const ExecOptions options_;
};

/// Runs `command` as a function: the list in, the list out.
Result<render::FunctionOutcome> run_as_function(process::Command command,
                                                const krm::ResourceList& input,
                                                const process::Limits& limits);

}  // namespace portico::fnrun
