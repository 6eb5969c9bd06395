// Runs the functions that are container images, with the docker or podman program.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "process/process.h"
#include "render/function_runner.h"

namespace portico::fnrun {

enum class PullPolicy { kAlways, kIfNotPresent, kNever };

struct ContainerOptions {
  /// docker, podman or nerdctl; "": $KPT_FN_RUNTIME, else docker where it is there, else podman.
  std::string runtime;
  PullPolicy pull = PullPolicy::kIfNotPresent;
  bool network = false;
  bool as_current_user = false;          // else nobody
  std::vector<std::string> environment;  // NAME=value, or NAME for this process's value
  std::vector<std::string> mounts;       // as --mount of docker; read-only unless they say rw=true
  int processes = 1024;                  // at one time, threads counted
  process::Limits limits;                // memory_bytes is the container's; 0: no limit
};

/// A container gets no network, no capability or new privilege, the user nobody, its root read-only
/// with an empty /tmp of 256 MiB, memory and processes within limits; it reads a ResourceList and
/// writes one. One that is stopped is removed within 3 s: before the stop is told, or after a death
/// (process/afterwards.h). The first run of a runner removes what killed processes left behind, as
/// remove_left_containers() does. A `tag` that is a version is the image's; a constraint, which
/// only a registry could resolve, is kInvalid. kInvalid also where there is no such program.
class ContainerRunner final : public render::FunctionRunner {
 public:
  explicit ContainerRunner(ContainerOptions options) : options_(std::move(options)) {}
  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override;

 private:
  const ContainerOptions options_;
  mutable std::once_flag looked_;
};

/// Removes the containers of functions whose process is gone, without a word to them: it was killed
/// (SIGKILL, out of memory) or its machine's session was. Each carries a label that says which one
/// asked for it; what another machine, boot or namespace of processes asked for stays. How many
/// there were; 0 where there is no runtime. Takes 3 s at most for each of the two requests.
Result<std::size_t> remove_left_containers(const ContainerOptions& options);

}  // namespace portico::fnrun
