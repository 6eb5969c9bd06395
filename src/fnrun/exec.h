// Runs the functions that are programs: `exec` in a Kptfile, --exec of fn eval.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fnrun/process.h"
#include "render/function_runner.h"

namespace portico::fnrun {

struct ExecOptions {
  /// In namespaces of its own, with bubblewrap: no network, the file system read-only, an empty
  /// /tmp and /var/tmp that go away, no other process to see, only the environment that a program
  /// needs to run. What it may read on this machine it still may.
  bool sandbox = true;
  bool network = false;                  // with the network of this machine after all
  std::vector<std::string> environment;  // NAME=value, or NAME for this process's value
  Limits limits;
};

/// The words of a command as a shell has them: blanks separate, quotes and backslashes keep
/// together. kInvalid for quotes that do not end and for no words at all.
Result<std::vector<std::string>> split_command(std::string_view command);

/// A program reads a ResourceList and writes one, in the working folder of this process. kInvalid,
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
Result<render::FunctionOutcome> run_as_function(Command command, const krm::ResourceList& input,
                                                const Limits& limits);

}  // namespace portico::fnrun
