#include "conformance/internal/kpt_program.h"

#include <filesystem>
#include <regex>
#include <set>

#include "process/process.h"
#include "testing/cases.h"

namespace portico::conformance {
namespace {

namespace fs = std::filesystem;

const std::set<std::string_view> kOfTheProgram{"exec",    "pipe",     "symlink",
                                               "save-fn", "pkg-init", "function-as-filter"};

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

/// Quotes a word for the shell; patterns stay unquoted.
std::string shell_word(const std::string& word) {
  if (word.find('*') != std::string::npos) return word;
  return "'" + replaced(word, "'", R"('"'"')") + "'";
}

struct Folders {
  fs::path work, package, one;

  std::string fill(std::string text) const {
    text = replaced(std::move(text), "{work}", work.string());
    text = replaced(std::move(text), "{pkg}", package.string());
    text = replaced(std::move(text), "{results}", (work / "results").string());
    text = replaced(std::move(text), "{case}", one.string());
    constexpr std::string_view kContent = "{content-of:";
    const std::size_t at = text.find(kContent);
    const std::size_t end = text.find('}', at);
    if (at == std::string::npos || end == std::string::npos) return text;
    const std::string file = text.substr(at + kContent.size(), end - at - kContent.size());
    return text.replace(at, end + 1 - at, read_file_or_empty(file));
  }
};

std::string command_text(const json::Value& words, const Folders& folders,
                         const std::string& program) {
  std::string text;
  for (const json::Value& item : words.items()) {
    std::string word = folders.fill(std::string(item.as_string()));
    if (text.empty() && word == "kpt")
      text = shell_word(program);
    else if (text.empty() && word == "function")
      text = shell_word(program) + " fn run";
    else
      text += (text.empty() ? "" : " ") + shell_word(word);
  }
  return text;
}

std::string step_text(const json::Value& step, const Folders& folders, const std::string& program,
                      bool pipefail) {
  std::string pipe;
  for (const json::Value& words : step["pipe"].items())
    pipe += (pipe.empty() ? "" : " | ") + command_text(words, folders, program);
  return std::string(pipefail ? "set -o pipefail; " : "") + "cd " +
         shell_word(folders.fill(std::string(step["cwd"].as_string()))) + " && " + pipe;
}

std::string program_file() {
  const fs::path file = fs::read_symlink("/proc/self/exe").parent_path() / "portico";
  return fs::exists(file) ? file.string() : "";
}

void copy_case(const KptCase& one, const fs::path& to) {
  fs::create_directories(to.parent_path());
  fs::copy(one.folder / "input", to, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  // The data may be read-only.
  for (const auto& entry : fs::recursive_directory_iterator(to))
    fs::permissions(entry.path(), fs::perms::owner_write | fs::perms::owner_read,
                    fs::perm_options::add | fs::perm_options::nofollow);
}

}  // namespace

bool needs_program(const KptCase& one) {
  for (const json::Value& feature : one.meta["requires"]["features"].items())
    if (kOfTheProgram.contains(feature.as_string())) return true;
  const json::Value& steps = one.meta["run"];
  return steps.size() != 1 || steps.items()[0]["pipe"].size() != 1;
}

std::optional<KptRun> run_program(const KptCase& one, std::string& why) {
  const std::string program = program_file();
  if (program.empty()) {
    why = "the program is not built";
    return std::nullopt;
  }
  const testing::TempDir temporary;
  const Folders folders{temporary.path(),
                        temporary.path() / std::string(one.meta["package_dir"].as_string()),
                        one.folder};
  copy_case(one, folders.package);
  if (const json::Value& second = one.meta["place_case_input_at"]; second.is_string())
    copy_case(one, folders.work / folders.fill(std::string(second.as_string())));

  std::vector<std::string> environment = process::own_environment();
  for (const json::Member& each : one.meta["env"].members())
    environment.push_back(std::string(each.name()) + "=" + std::string(each.value.as_string()));
  const json::Value& options = one.meta["script_options"];

  KptRun run;
  run.stdout_text.emplace();
  for (const json::Value& step : one.meta["run"].items()) {
    const std::string script = step_text(step, folders, program, options["pipefail"].as_bool());
    const auto finished = process::run_to_end({{"bash", "-c", script}, environment, ""}, {});
    if (!finished) {
      why = finished.error().text();
      return std::nullopt;
    }
    if (finished->stderr_text.find("no sandbox: ") != std::string::npos) {
      why = "no sandbox for programs here";
      return std::nullopt;
    }
    run.success = finished->exit_code == 0;
    *run.stdout_text += finished->output;
    run.stderr_text += finished->stderr_text;
    if (!run.success && options["stop_on_error"].as_bool()) break;
  }
  static const std::regex kDuration(R"re((\[(PASS|FAIL)\] ".*?" in )[0-9.]+m?s)re");
  run.stderr_text = replaced(std::regex_replace(run.stderr_text, kDuration, "$010s"),
                             folders.work.string() + "/", "");
  run.tree = read_tree(folders.package);
  std::erase_if(run.tree, [](const auto& file) { return file.first.starts_with(".git/"); });
  run.results = read_file_or_empty(folders.work / "results/results.yaml");
  return run;
}

}  // namespace portico::conformance
