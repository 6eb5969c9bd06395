// Runs functions that are container images, using docker, podman or nerdctl.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "process/process.h"
#include "render/function_runner.h"

namespace portico::fnrun {

enum class PullPolicy { kAlways, kIfNotPresent, kNever };

struct ContainerOptions {
  /// docker, podman or nerdctl; "": $KPT_FN_RUNTIME, else the first of them that is installed.
  std::string runtime;
  PullPolicy pull = PullPolicy::kIfNotPresent;
  bool network = false;
  bool as_current_user = false;          // false: the user nobody
  std::vector<std::string> environment;  // NAME=value, or NAME for this process's value
  std::vector<std::string> mounts;       // like docker's --mount; read-only unless rw=true is given
  int processes = 1024;                  // concurrent, including threads
  process::Limits limits;                // memory_bytes applies to the container; 0: no limit
};

/// The container has no network, capabilities or new privileges, the user nobody, a read-only root
/// with an empty /tmp of 256 MiB, and limits on memory and processes. It reads a ResourceList and
/// writes one. A stopped container is removed within 3 s: before run() returns, or after this
/// process dies (process/pending_cleanup.h). The first run of a runner also calls
/// remove_left_containers(). A `tag` that is a version is ignored, as the image has it already; a
/// constraint, which only a registry could resolve, is kInvalid. refused() if the runtime is not
/// installed.
class ContainerRunner final : public render::FunctionRunner {
 public:
  explicit ContainerRunner(ContainerOptions options) : options_(std::move(options)) {}
  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override;

 private:
  const ContainerOptions options_;
  mutable std::once_flag looked_;
};

/// Removes function containers whose requesting process died without cleaning up: killed by SIGKILL
/// or for lack of memory, or with its session. Each container has a label that identifies the
/// process. Containers requested on another machine, boot or PID namespace are kept. Returns the
/// number removed; 0 if there is no runtime. Takes at most 3 s for each of the two commands.
Result<std::size_t> remove_left_containers(const ContainerOptions& options);

}  // namespace portico::fnrun
