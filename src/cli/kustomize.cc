#include "cli/kustomize.h"

#include "process/process.h"

namespace portico::cli {

namespace {

Result<std::vector<std::string>> builder() {
  if (!process::find_program("kustomize").empty())
    return std::vector<std::string>{"kustomize", "build"};
  if (!process::find_program("kubectl").empty())
    return std::vector<std::string>{"kubectl", "kustomize"};
  return not_found("-k requires kustomize or kubectl: executable file not found in $PATH");
}

}  // namespace

Result<std::vector<engine::Manifest>> read_kustomizations(const std::vector<std::string>& dirs,
                                                          const std::string& ns,
                                                          const engine::Deadline& deadline) {
  std::vector<engine::Manifest> out;
  if (dirs.empty()) return out;
  PORTICO_TRY(const auto program, builder());
  for (const std::string& dir : dirs) {
    process::Command command{
        .argv = program, .environment = process::own_environment(), .input = ""};
    command.argv.push_back(dir);
    process::Limits limits;
    limits.time = deadline.left(limits.time);
    PORTICO_TRY(const process::Finished built, process::run_to_end(command, limits), dir);
    if (built.exit_code != 0)
      return invalid("{} failed: {}", program[0],
                     built.stderr_text.substr(0, built.stderr_text.find_last_not_of('\n') + 1))
          .in(dir);
    PORTICO_TRY(auto manifests, engine::manifests_of(built.output, dir, ns), dir);
    if (manifests.empty()) return invalid("no objects in {}; is it the right folder?", dir);
    out.insert(out.end(), manifests.begin(), manifests.end());
  }
  return out;
}

}  // namespace portico::cli
