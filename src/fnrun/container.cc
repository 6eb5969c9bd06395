#include "fnrun/container.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "base/world_error.h"
#include "fnrun/exec.h"
#include "fnrun/internal/container_owner.h"
#include "fnrun/internal/tag.h"

namespace portico::fnrun {

namespace {

Result<std::string> runtime_of(const ContainerOptions& options) {
  std::string wanted = options.runtime;
  if (const char* named = std::getenv("KPT_FN_RUNTIME"); wanted.empty() && named != nullptr)
    wanted = named;
  if (!wanted.empty()) {
    if (wanted != "docker" && wanted != "podman" && wanted != "nerdctl")
      return invalid("unknown container runtime \"{}\", use docker, podman or nerdctl", wanted);
    if (process::find_program(wanted).empty())
      return refused("the container runtime \"{}\" is not installed", wanted);
    return wanted;
  }
  for (const char* one : {"docker", "podman", "nerdctl"})
    if (!process::find_program(one).empty()) return std::string(one);
  return refused("functions in containers need docker or podman, and neither is installed");
}

/// Mounts are read-only unless they say otherwise, as in kpt.
std::string mount_of(std::string mount) {
  if (const std::size_t at = mount.find(",rw=true"); at != std::string::npos)
    return mount.erase(at, std::string_view(",rw=true").size());
  return mount.find("readonly") == std::string::npos ? mount + ",readonly" : mount;
}

std::string container_name() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return fmt::format("portico-{}-{}", ::getpid(), now.count());
}

/// Runs a command of the runtime other than a function.
Result<std::string> ask(std::vector<std::string> argv, const Stop& stopped) {
  process::Limits limits;
  limits.time = std::chrono::seconds(3);
  limits.memory_bytes = limits.file_bytes = 0;
  limits.stopped = stopped;
  const std::string what = argv[0] + " " + argv[1];
  PORTICO_TRY(process::Finished done,
              process::run_to_end({std::move(argv), process::own_environment(), ""}, limits));
  if (done.exit_code != 0) return unavailable("{} failed: {}", what, done.stderr_text);
  return std::move(done.output);
}

}  // namespace

Result<std::size_t> remove_left_containers(const ContainerOptions& options) {
  const auto runtime = runtime_of(options);
  if (!runtime) return std::size_t{0};
  PORTICO_TRY(
      const std::string told,
      ask({*runtime, "ps", "--all", "--filter", fmt::format("label={}", internal::kAskerLabel),
           "--format", fmt::format("{{{{.ID}}}} {{{{.Label \"{}\"}}}}", internal::kAskerLabel)},
          options.limits.stopped));
  const auto left = internal::left_behind(told, internal::own_asker(), internal::is_alive);
  if (left.empty()) return left.size();
  std::vector<std::string> argv{*runtime, "rm", "-f"};
  argv.insert(argv.end(), left.begin(), left.end());
  PORTICO_DO(ask(std::move(argv), options.limits.stopped));
  return left.size();
}

Result<render::FunctionOutcome> ContainerRunner::run(const render::FunctionRef& function,
                                                     krm::ResourceList input) const {
  if (function.image.empty() || function.image.starts_with('-'))
    return invalid("\"{}\" is not an image", function.image);
  PORTICO_DO(internal::check_tag(function));
  PORTICO_TRY(const std::string runtime, runtime_of(options_));
  // A failure here is not the function's: the next caller removes what is left.
  std::call_once(looked_, [&] { static_cast<void>(remove_left_containers(options_)); });
  const std::string name = container_name();
  process::Command command{
      {runtime, "run", "--rm", "-i", "--name", name, "--label",
       fmt::format("{}={}", internal::kAskerLabel, internal::text_of(internal::own_asker()))},
      process::own_environment(),
      ""};
  auto& argv = command.argv;
  argv.insert(argv.end(), {"--network", options_.network ? "host" : "none"});
  argv.insert(argv.end(),
              {"--user",
               options_.as_current_user ? fmt::format("{}:{}", ::getuid(), ::getgid()) : "nobody"});
  argv.insert(argv.end(), {"--cap-drop=ALL", "--security-opt=no-new-privileges", "--read-only",
                           "--tmpfs", "/tmp:rw,exec,nosuid,nodev,size=256m,mode=1777"});
  argv.push_back(fmt::format("--pids-limit={}", options_.processes));
  if (options_.limits.memory_bytes != 0)
    for (const char* flag : {"--memory", "--memory-swap"})
      argv.push_back(fmt::format("{}={}", flag, options_.limits.memory_bytes));
  const char* pull = options_.pull == PullPolicy::kAlways         ? "always"
                     : options_.pull == PullPolicy::kIfNotPresent ? "missing"
                                                                  : "never";
  argv.insert(argv.end(), {"--pull", pull});
  for (const std::string& mount : options_.mounts)
    argv.insert(argv.end(), {"--mount", mount_of(mount)});
  for (const std::string& one : options_.environment) argv.insert(argv.end(), {"-e", one});
  argv.push_back(function.image);
  process::Limits limits = options_.limits;
  // These limits apply to the docker client; the container is a child of its server.
  limits.memory_bytes = limits.file_bytes = 0;
  // The container may outlive the client process.
  command.afterwards = {runtime, "rm", "-f", name};
  auto outcome = run_as_function(std::move(command), input, limits);
  if (outcome && is_of_container_runtime(outcome->exit_code))
    return refused("{} cannot run the function: {}", runtime, outcome->stderr_text);
  return outcome;
}

}  // namespace portico::fnrun
