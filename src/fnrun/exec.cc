#include "fnrun/exec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/world_error.h"
#include "render/stream.h"

namespace portico::fnrun {

namespace {

constexpr std::array kKept = std::to_array<std::string_view>(
    {"PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TERM", "SHELL"});

bool is_kept(std::string_view variable) {
  const std::string_view name = variable.substr(0, variable.find('='));
  return name.starts_with("LC_") || std::find(kKept.begin(), kKept.end(), name) != kKept.end();
}

std::vector<std::string> environment(const ExecOptions& options) {
  std::vector<std::string> all = process::own_environment();
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

constexpr const char* kAdvice = "allow it, or use --no-sandbox for programs that you trust";

std::vector<int> numbers(const std::vector<Fd>& open) {
  std::vector<int> out;
  for (const Fd& one : open) out.push_back(one.get());
  return out;
}

/// Checks whether the sandbox works at all, if `stderr_text` may be from bubblewrap or one of its
/// helpers: tries it with a program that does nothing.
Result<Done> check_cage(const Sandbox& cage, const std::vector<std::string>& env,
                        std::string_view stderr_text) {
  const bool own = stderr_text.starts_with("bwrap: ") || stderr_text.starts_with("setpriv: ") ||
                   stderr_text.starts_with("prlimit: ");
  if (!own) return Done{};
  PORTICO_TRY(const Caged probed, caged({"true"}, cage));
  PORTICO_TRY(const process::Finished probe,
              process::run_to_end({probed.argv, env, "", numbers(probed.open)}, {}), "sandbox");
  if (probe.exit_code == 0) return Done{};
  return refused("no sandbox: {}; {}", probe.stderr_text.substr(0, probe.stderr_text.find('\n')),
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
  if (quote != 0) return invalid("unterminated quote in command \"{}\"", command);
  if (words.empty()) return invalid("command \"{}\" is empty", command);
  return words;
}

Result<render::FunctionOutcome> run_as_function(process::Command command,
                                                const krm::ResourceList& input,
                                                const process::Limits& limits) {
  PORTICO_TRY(command.input, render::function_input_text(input));
  PORTICO_TRY(process::Finished finished, process::run_to_end(command, limits));
  while (finished.stderr_text.ends_with('\n') && finished.exit_code != 0)
    finished.stderr_text.pop_back();
  render::FunctionOutcome outcome{input, std::move(finished.stderr_text), finished.exit_code};
  if (finished.output.empty() && finished.exit_code != 0) return outcome;
  auto output = render::function_output(finished.output, input);
  if (output) {
    outcome.list = *std::move(output);
  } else if (finished.exit_code == 0) {
    return invalid("its output is not a ResourceList: {}", output.error().text());
  }
  return outcome;
}

Result<render::FunctionOutcome> ExecRunner::run(const render::FunctionRef& function,
                                                krm::ResourceList input) const {
  PORTICO_TRY(std::vector<std::string> argv, split_command(function.exec));
  process::Command command{argv, environment(options_), "", {}};
  process::Limits limits = options_.limits;
  limits.cgroup = true;
  if (!options_.sandbox) return run_as_function(std::move(command), input, limits);
  if (process::find_program(argv.front()).empty())
    return refused("program \"{}\" not found or not executable", argv.front());
  if (process::find_program("bwrap").empty())
    return refused("no sandbox: bwrap not found; install bubblewrap, or {}", kAdvice);
  PORTICO_TRY(const Caged cage, caged(argv, options_.cage));
  command.argv = cage.argv;
  command.open = numbers(cage.open);
  limits.processes = options_.cage.processes;
  PORTICO_TRY(render::FunctionOutcome outcome, run_as_function(command, input, limits));
  if (outcome.exit_code != 0)
    PORTICO_DO(check_cage(options_.cage, command.environment, outcome.stderr_text));
  return outcome;
}

}  // namespace portico::fnrun
