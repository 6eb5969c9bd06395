#include "fnrun/exec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "render/stream.h"

namespace portico::fnrun {

namespace {

namespace fs = std::filesystem;

constexpr std::array kKept = std::to_array<std::string_view>(
    {"PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TERM", "SHELL"});

bool is_kept(std::string_view variable) {
  const std::string_view name = variable.substr(0, variable.find('='));
  return name.starts_with("LC_") || std::find(kKept.begin(), kKept.end(), name) != kKept.end();
}

std::vector<std::string> environment(const ExecOptions& options) {
  std::vector<std::string> all = own_environment();
  std::vector<std::string> out;
  for (const std::string& one : all)
    if (!options.sandbox || is_kept(one)) out.push_back(one);
  for (const std::string& one : options.environment) {
    const std::string prefix = one.substr(0, one.find('=')) + "=";
    std::erase_if(out, [&](const std::string& have) { return have.starts_with(prefix); });
    if (one.find('=') != std::string::npos) {
      out.push_back(one);
    } else {
      for (const std::string& have : all)
        if (have.starts_with(prefix)) out.push_back(have);
    }
  }
  return out;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

/// bubblewrap's arguments in front of the program's.
std::vector<std::string> sandboxed(const std::vector<std::string>& argv, bool network) {
  std::vector<std::string> out{"bwrap",
                               "--ro-bind",
                               "/",
                               "/",
                               "--dev",
                               "/dev",
                               "--proc",
                               "/proc",
                               "--tmpfs",
                               "/tmp",
                               "--tmpfs",
                               "/var/tmp",
                               "--unshare-all",
                               "--die-with-parent",
                               "--new-session"};
  if (network) out.emplace_back("--share-net");
  // What the program needs of the folders that are now empty.
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  const fs::path program = fs::weakly_canonical(find_program(argv.front()), ignored);
  for (const fs::path& needed : {here, program.parent_path()})
    for (const char* hidden : {"/tmp", "/var/tmp"})
      if (is_below(needed, hidden))
        out.insert(out.end(), {"--ro-bind", needed.string(), needed.string()});
  out.insert(out.end(), {"--chdir", here.string(), "--"});
  return out;
}

constexpr const char* kAdvice =
    "allow it, or run with --no-sandbox programs that you trust with this machine";

/// Whether a sandbox could be made at all, for a run in which `stderr_text` may have been written
/// by bubblewrap: then the sandbox is tried with a program that does nothing.
Result<Done> check_sandbox(std::vector<std::string> argv, const std::vector<std::string>& env,
                           std::string_view stderr_text) {
  if (!stderr_text.starts_with("bwrap: ")) return Done{};
  argv.emplace_back("true");
  PORTICO_TRY(const Finished probe, run_process({std::move(argv), env, ""}, {}), "sandbox");
  if (probe.exit_code == 0) return Done{};
  return invalid("no sandbox: {}; {}", probe.stderr_text.substr(0, probe.stderr_text.find('\n')),
                 kAdvice);
}

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < command.size();
    if (escapes) {
      const char next = command[++i];
      if (quote == '"' && next != '"' && next != '\\' && next != '$' && next != '`')
        words.back() += c;
      words.back() += next;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote && quote != 0) {
      quote = 0;
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) return invalid("command \"{}\" has a quote that does not end", command);
  if (words.empty()) return invalid("command \"{}\" has no words", command);
  return words;
}

Result<render::FunctionOutcome> run_as_function(Command command, const krm::ResourceList& input,
                                                const Limits& limits) {
  PORTICO_TRY(command.input, render::function_input_text(input));
  PORTICO_TRY(Finished finished, run_process(command, limits));
  while (finished.stderr_text.ends_with('\n') && finished.exit_code != 0)
    finished.stderr_text.pop_back();
  render::FunctionOutcome outcome{input, std::move(finished.stderr_text), finished.exit_code};
  if (finished.output.empty() && finished.exit_code != 0) return outcome;
  auto output = render::function_output(finished.output, input);
  if (output) {
    outcome.list = *std::move(output);
  } else if (finished.exit_code == 0) {
    return invalid("what it wrote is no ResourceList: {}", output.error().text());
  }
  return outcome;
}

Result<render::FunctionOutcome> ExecRunner::run(const render::FunctionRef& function,
                                                krm::ResourceList input) const {
  PORTICO_TRY(std::vector<std::string> argv, split_command(function.exec));
  Command command{{}, environment(options_), ""};
  if (options_.sandbox) {
    if (find_program(argv.front()).empty())
      return not_found("no program \"{}\" that can be run", argv.front());
    if (find_program("bwrap").empty())
      return invalid("no sandbox: the program bwrap is not there; install bubblewrap, or {}",
                     kAdvice);
    command.argv = sandboxed(argv, options_.network);
  }
  const std::vector<std::string> sandbox = command.argv;
  command.argv.insert(command.argv.end(), argv.begin(), argv.end());
  PORTICO_TRY(render::FunctionOutcome outcome, run_as_function(command, input, options_.limits));
  if (options_.sandbox && outcome.exit_code != 0)
    PORTICO_DO(check_sandbox(sandbox, command.environment, outcome.stderr_text));
  return outcome;
}

}  // namespace portico::fnrun
