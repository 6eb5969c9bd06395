#include "git/internal/run_git.h"

#include <string_view>

#include "process/process.h"

namespace portico::git {
namespace {

constexpr std::size_t kMostOutput = 16u << 20;

std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> out;
  for (std::string& entry : process::own_environment()) {
    const std::string name = entry.substr(0, entry.find('='));
    // These would redirect git to another repository.
    if (name == "GIT_DIR" || name == "GIT_WORK_TREE" || name == "GIT_INDEX_FILE" ||
        name == "GIT_OBJECT_DIRECTORY" || name == "GIT_ALTERNATE_OBJECT_DIRECTORIES" ||
        name == "GIT_NAMESPACE" || name == "GIT_COMMON_DIR" || name.starts_with("GIT_TRACE"))
      continue;
    if (!changes.contains(name)) out.push_back(std::move(entry));
  }
  for (const auto& [name, value] : changes) out.push_back(name + "=" + value);
  return out;
}

}  // namespace

Result<Outcome> run_git(const std::string& folder, const std::vector<std::string>& arguments,
                        const std::map<std::string, std::string>& environment,
                        std::chrono::seconds patience, const Stop& stopped,
                        std::chrono::seconds silence) {
  const std::string what = arguments.empty() ? "" : arguments[0];
  if (stopped()) return unavailable("git {} was not started: stopped", what);
  std::map<std::string, std::string> changes = environment;
  changes.insert({{"GIT_TERMINAL_PROMPT", "0"}, {"LC_ALL", "C"}, {"GIT_OPTIONAL_LOCKS", "0"}});
  process::Command command{{"git", "-C", folder}, environment_with(changes), "", {}};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  process::Limits limits;
  limits.time = patience;
  limits.silence = silence;
  limits.output_bytes = limits.stderr_bytes = kMostOutput;
  limits.cut_output = true;
  limits.memory_bytes = limits.file_bytes = 0;  // git is trusted, and packs are large
  limits.stopped = stopped;
  auto run = process::run(command, limits);
  if (!run) return unavailable("cannot run the git program: {}", run.error().what);
  process::Finished& finished = *run;
  switch (finished.end) {
    case process::End::kStopped:
      return unavailable("git {} was stopped before it finished", what);
    case process::End::kTime:
      return unavailable("git {} did not finish within {} s", what, patience.count());
    case process::End::kSilence:
      return unavailable("git {} made no progress for {} s", what, silence.count());
    default:
      return Outcome{finished.exit_code, std::move(finished.output),
                     std::move(finished.stderr_text)};
  }
}

}  // namespace portico::git
