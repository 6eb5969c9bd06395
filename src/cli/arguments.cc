#include "cli/arguments.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "api/kinds.h"
#include "base/spelling.h"
#include "cli/asked.h"
#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/usage_error.h"
#include "engine/version.h"
#include "krm/meta.h"
#include "merge/on_conflict.h"

namespace portico::cli {

CLI::Option* add_wait(CLI::App& app, WaitOptions& wait) {
  return app.add_flag(
      "--wait,!--no-wait", wait.wait,
      "Wait for the controllers to finish; without a running server, run them here");
}

void add_output(CLI::App& app, std::string& output) {
  app.add_option("-o,--output", output,
                 "wide, yaml, json, name, jsonpath=TEMPLATE, go-template=TEMPLATE, "
                 "custom-columns=HEAD:PATH,..., or jsonpath-file=, go-template-file= and "
                 "custom-columns-file= with a file");
}

void add_name_output(CLI::App& app, std::string& output) {
  app.add_option("-o,--output", output, "name: print only TYPE/NAME")->check(one_of({"name"}));
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return {[words](std::string& word) -> std::string {
            if (std::find(words.begin(), words.end(), word) != words.end()) return "";
            return fmt::format("\"{}\" is not {}{}", word, fmt::join(words, ", "),
                               hint(word, {words.begin(), words.end()}));
          },
          fmt::format("{{{}}}", fmt::join(words, ","))};
}

CLI::Validator plain_revision() {
  return {[](std::string& word) -> std::string {
            auto plain = plain_name(word, api::revision_kind());
            if (!plain) return plain.error().text();
            word = *std::move(plain);
            return "";
          },
          ""};
}

namespace {

// Parses "90", "90s", "5m", "1h30m" into seconds.
CLI::Validator duration() {
  return {[](std::string& word) -> std::string {
            constexpr std::uint64_t kMost = 1u << 30;
            std::string wrong =
                fmt::format("invalid duration \"{}\": use seconds, or 90s, 5m, 1h30m", word);
            std::uint64_t seconds = 0, number = 0;
            bool digits = false;
            for (const char c : word) {
              if (c >= '0' && c <= '9') {
                number = std::min(kMost, number * 10 + static_cast<std::uint64_t>(c - '0'));
                digits = true;
                continue;
              }
              if (!digits || (c != 's' && c != 'm' && c != 'h')) return wrong;
              seconds += number * (c == 's' ? 1 : c == 'm' ? 60 : 3600);
              number = 0;
              digits = false;
            }
            if (digits) seconds += number;
            if (word.empty() || seconds > kMost) return wrong;
            word = std::to_string(seconds);
            return "";
          },
          "TIME"};
}

// An empty operand or value usually comes from an unset shell variable.
void refuse_empty_operands(CLI::App& app) {
  const CLI::Validator something(
      [](std::string& word) { return word.empty() ? std::string("may not be empty") : ""; }, "");
  for (CLI::Option* option : app.get_options())
    if (option->get_positional()) option->check(something);
  for (CLI::App* inner : app.get_subcommands({})) refuse_empty_operands(*inner);
}

CLI::Validator namespace_name() {
  return {[](std::string& word) {
            return krm::is_dns1123_label(word)
                       ? std::string()
                       : fmt::format(
                             "invalid namespace \"{}\": lower-case letters, digits "
                             "and '-', 63 at most",
                             word);
          },
          ""};
}

// Whether any command has an option "-x" with a value.
bool takes_value(const CLI::App& app, const std::string& letter) {
  const CLI::Option* const option = app.get_option_no_throw("-" + letter);
  if (option != nullptr && option->get_items_expected_max() > 0) return true;
  const auto inner = app.get_subcommands({});
  return std::any_of(inner.begin(), inner.end(),
                     [&](const CLI::App* each) { return takes_value(*each, letter); });
}

// Splits "-o=yaml" into "-o yaml", as in kubectl: CLI11 would take "=yaml" as the value. Words
// after "--" stay as they are.
std::vector<std::string> words_of(int argc, const char* const* argv, const CLI::App& root) {
  std::vector<std::string> out;
  bool operands = false;
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    operands = operands || word == "--";
    const bool letter = !operands && word.size() > 3 && word[0] == '-' && word[1] != '-' &&
                        word[2] == '=' && takes_value(root, std::string(1, word[1]));
    out.emplace_back(letter ? word.substr(0, 2) : word);
    if (letter) out.emplace_back(word.substr(3));
  }
  return out;
}

}  // namespace

// The values of spec.onConflict. `pkg update` had others before 1.0, which are still accepted.
void add_on_conflict(CLI::App& app, std::string& policy) {
  const CLI::Validator words(
      [](std::string& word) -> std::string {
        if (word == "upstream") word = "takeUpstream";
        if (word == "local") word = "keepLocal";
        const auto parsed = merge::parse_on_conflict(word);
        return parsed ? "" : parsed.error().text();
      },
      "{takeUpstream,keepLocal,fail}");
  auto* option =
      app.add_option("--on-conflict", policy,
                     "Which side wins when both changed the same field; fail: change nothing")
          ->transform(words);
  if (!policy.empty()) option->capture_default_str();
}

std::variant<Parsed, Exit> parse_arguments(int argc, const char* const* argv) {
  Parsed parsed;
  CLI::App root("Portico keeps fleets of configuration packages up to date.", "portico");
  root.require_subcommand(1);
  root.set_version_flag("--version", fmt::format("portico {}", engine::version()),
                        "Print the version");
  root.fallthrough();
  CLI::Option* const ns = root.add_option("-n,--namespace", parsed.globals.ns, "Namespace")
                              ->check(namespace_name())
                              ->capture_default_str();
  root.add_option("--state", parsed.globals.state,
                  "State folder (default: $PORTICO_STATE, else the nearest .portico)");
  root.add_option("--server", parsed.globals.server,
                  "URL of the server to use (default: $PORTICO_SERVER, else the state folder)");
  root.add_option("--kubeconfig", parsed.globals.kubeconfig,
                  "Kubeconfig of the server to use (default with --server or --context: "
                  "$KUBECONFIG, else ~/.kube/config)");
  root.add_option("--context", parsed.globals.context,
                  "Kubeconfig context (default: the current context)");
  root.add_option("--as", parsed.globals.as, "User to impersonate on the server");
  root.add_option("--as-group", parsed.globals.as_groups, "Group to impersonate; can be repeated");
  root.add_flag("-v,--verbose", parsed.globals.verbose,
                "Print more on standard error; for serve, every reconcile");
  root.add_option("--workers", parsed.globals.workers, "Number of variants reconciled in parallel")
      ->check(CLI::Range(1, 1024));
  root.add_option("--timeout", parsed.globals.timeout_seconds,
                  "Time limit of the command: seconds, or 90s, 5m, 1h (default: 600 s for --wait "
                  "and plan, 300 s for each function, and the limits of git)")
      ->transform(duration())
      ->check(CLI::PositiveNumber);
  root.add_option(
          "--function-runner", parsed.globals.function_runner,
          "HOST:PORT of a function runner (Porch's protocol) for functions that are not built in")
      ->envname("PORTICO_FUNCTION_RUNNER");
  root.add_flag("--containers", parsed.globals.containers,
                "Run functions that are not built in as containers (docker or podman)");
  add_objects(root, parsed.command);
  add_changes(root, parsed.command);
  add_repo(root, parsed.command);
  add_rpkg(root, parsed.command);
  add_pkg(root, parsed.command);
  add_fleet(root, parsed.command);
  // A function's arguments are not parsed as options of the program.
  const auto separator = std::find(argv, argv + argc, std::string_view("--"));
  const bool runs_function = argc > 1 && argv[1] == std::string_view("fn");
  std::vector<std::string> behind;
  if (runs_function && separator != argv + argc) {
    behind.assign(separator + 1, argv + argc);
    argc = static_cast<int>(separator - argv);
  }
  add_fn(root, parsed.command, behind);
  refuse_empty_operands(root);
  if (argc > 1 && argv[1] == std::string_view("__complete")) {
    parsed.command = [asked = complete(root, {argv + 2, argv + argc})](Context& context) {
      return run_complete(asked, context);
    };
    return parsed;
  }
  std::vector<std::string> words = words_of(argc, argv, root);
  // `help rpkg clone` means `rpkg clone --help`.
  if (argc > 1 && words[1] == "help") {
    words.erase(words.begin() + 1);
    words.push_back("--help");
  }
  std::vector<const char*> texts;
  for (const std::string& word : words) texts.push_back(word.c_str());
  try {
    root.parse(static_cast<int>(texts.size()), texts.data());
  } catch (const CLI::ParseError& error) {
    const bool help = error.get_exit_code() == 0;
    if (help)
      root.exit(error);
    else
      fmt::print(stderr, "{}", usage_error(root, error));
    return help ? Exit{0} : Exit{2};
  }
  parsed.globals.ns_said = ns->count() > 0;
  return parsed;
}

}  // namespace portico::cli
