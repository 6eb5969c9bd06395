// Runs functions that are programs: `exec` in a Kptfile, --exec of fn eval.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fnrun/sandbox.h"
#include "process/process.h"
#include "render/function_runner.h"

namespace portico::fnrun {

struct ExecOptions {
  /// Use the sandbox (sandbox.h), with only the environment variables that a program needs, and
  /// limit the total usage of all its processes.
  bool sandbox = true;
  Sandbox cage;
  std::vector<std::string> environment;  // NAME=value, or NAME for this process's value
  process::Limits limits;
};

/// Splits a command into words like a shell: separated by blanks, grouped by quotes and
/// backslashes. kInvalid for an unclosed quote or if there are no words.
Result<std::vector<std::string>> split_command(std::string_view command);

/// Runs a program that reads a ResourceList and writes one; without the sandbox in this process's
/// working directory. Errors name program and reason. kInvalid if it exceeds the memory or output
/// limit, or succeeds without writing a ResourceList; refused() if the program cannot be run, takes
/// too long, or the system does not allow the sandbox.
class ExecRunner final : public render::FunctionRunner {
 public:
  explicit ExecRunner(ExecOptions options) : options_(std::move(options)) {}
  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override;

 private:
  const ExecOptions options_;
};

/// Runs `command` as a function: passes `input` to it and returns its output.
Result<render::FunctionOutcome> run_as_function(process::Command command,
                                                const krm::ResourceList& input,
                                                const process::Limits& limits);

}  // namespace portico::fnrun
