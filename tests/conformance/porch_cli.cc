// Suite porch-cli: replays sessions of porchctl with portico. One case per command.
#include <algorithm>
#include <sstream>

#include "conformance/support.h"
#include "krm/object.h"
#include "process/process.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::conformance {
namespace {

namespace fs = std::filesystem;
using json::Value;

constexpr std::string_view kServer = "http://gitea.gitea.svc.cluster.local:3000";
constexpr std::string_view kScratch = "/tmp/porch-e2e";

std::string text(const Value& value) { return std::string(value.as_string()); }

std::string replaced(std::string where, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = where.find(what, at)) != std::string::npos; at += with.size())
    where.replace(at, what.size(), with);
  return where;
}

std::vector<std::string> lines_of(const std::string& whole) {
  std::vector<std::string> out;
  std::istringstream in(whole);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

template <class Drop>
std::string without_lines(const std::string& whole, const Drop& drop) {
  std::string out;
  for (const std::string& line : lines_of(whole))
    if (!drop(line)) out += line + "\n";
  return out;
}

bool has(std::string_view where, std::string_view what) {
  return where.find(what) != std::string_view::npos;
}

// Normalizes outputs as the harness of the recorded sessions does (README, 4 to 6).

std::string as_yaml(const std::string& output) {
  const std::string kept = without_lines(output, [](const std::string& line) {
    return has(line, "resourceVersion:") || has(line, "creationTimestamp:");
  });
  const auto objects = krm::Object::parse_file(kept);
  if (!objects || objects->empty()) return output;
  return krm::Object::from_value(objects->front().value()).text();
}

std::string head_then_sorted(const std::string& output) {
  std::vector<std::string> lines = lines_of(output);
  if (!lines.empty()) std::sort(lines.begin() + 1, lines.end());
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

std::string without_blanks(const std::string& output) {
  std::string out, word;
  const auto add = [&] {
    if (!word.empty()) out += (out.empty() ? "" : " ") + word;
    word.clear();
  };
  for (const char c : output)
    if (c == ' ')
      add();
    else
      word += c;
  add();
  return out;
}

struct Outputs {
  std::string out, err;

  std::string both() const { return "stdout:\n" + out + "stderr:\n" + err; }
};

std::string program_file() {
  return (fs::read_symlink("/proc/self/exe").parent_path() / "portico").string();
}

// A session: one namespace in a new state folder, with the repositories that the sessions use.
class Session {
 public:
  Session(const fs::path& data, const fs::path& folder)
      : name_(case_name(data, folder)), root_(temporary_.path()) {
    fs::create_directories(root_ / "git/nephio");
    fs::create_directories(root_ / "scratch");
    const std::string empty = "git/nephio/porch-test", blueprints = "git/nephio/test-blueprints";
    const std::string bundle = (data / "fixtures/test-blueprints.bundle").string();
    git({"init", "-q", "--bare", "-b", "main", empty});
    git({"clone", "-q", empty, "begin"});
    git({"-C", "begin", "commit", "-q", "--allow-empty", "-m", "Initial commit"});
    git({"-C", "begin", "push", "-q", "origin", "HEAD:main"});
    git({"init", "-q", "--bare", "-b", "main", blueprints + ".git"});
    git({"-C", blueprints + ".git", "fetch", "-q", bundle, "+refs/heads/main:refs/heads/main",
         "+refs/tags/*:refs/tags/*"});
    if (const auto made = run({program_file(), "init", root_.string()}, ""); made.exit_code != 0)
      throw std::runtime_error(made.stderr_text);
  }

  CaseResult run_command(const Value& command, std::size_t number) {
    std::vector<std::string> words;
    for (const Value& word : command["args"].items()) words.push_back(filled(text(word)));
    const std::string name = fmt::format("{}/{:02}-{}", name_, number, what_of(words));
    if (words[0] == "sleep") return passed(name);  // not needed: commands wait for their work
    if (words[0] != "sh") words[0] = program_file();
    const process::Finished done = run(words, filled(text(command["stdin"])));
    const Outputs want =
        comparable({filled(text(command["stdout"])), filled(text(command["stderr"]))}, command);
    const Outputs have = comparable({done.output, done.stderr_text}, command);
    const int code = static_cast<int>(command["exitCode"].as_int());
    const bool contains = command["containsErrorString"].as_bool();
    if (done.exit_code == code && have.out == want.out &&
        (contains ? has(have.err, std::string_view(want.err).substr(0, want.err.size() - 1))
                  : have.err == want.err))
      return passed(name);
    std::string detail;
    if (done.exit_code != code)
      detail = fmt::format("exit status {}, not {}\n", done.exit_code, code);
    return failed(name, detail + difference(want.both(), have.both()));
  }

 private:
  void git(const std::vector<std::string>& words) const {
    if (const auto done = testing::git_try(root_.string(), words); done.status != 0)
      throw std::runtime_error("git " + words[0] + ": " + done.text);
  }

  process::Finished run(const std::vector<std::string>& words, const std::string& input) const {
    process::Command command{words, process::own_environment(), input};
    command.environment.push_back("PORTICO_STATE=" + (root_ / ".portico").string());
    auto done = process::run_to_end(command, {});
    if (!done) throw std::runtime_error(done.error().text());
    return *std::move(done);
  }

  std::string filled(std::string words) const {
    words = replaced(std::move(words), kServer, "file://" + (root_ / "git").string());
    return replaced(std::move(words), kScratch, (root_ / "scratch").string());
  }

  // "rpkg-clone", "kubectl-get", "sh".
  static std::string what_of(const std::vector<std::string>& words) {
    if (words.size() < 3 || words[0] == "sh" || words[0] == "sleep") return words[0];
    if (words[0] == "porchctl" || words[0] == "kpt") return words[1] + "-" + words[2];
    return words[0] + "-" + words[1];
  }

  static Outputs comparable(Outputs from, const Value& command) {
    from.out = command["yaml"].as_bool() ? as_yaml(from.out) : head_then_sorted(from.out);
    from.err = without_lines(from.err, [](const std::string& line) { return has(line, "[PASS]"); });
    if (command["stdErrTabToWhitespace"].as_bool()) from.err = replaced(from.err, "\t", "  ");
    if (command["ignoreWhitespace"].as_bool())
      from = {without_blanks(from.out), without_blanks(from.err)};
    return from;
  }

  std::string name_;
  testing::TempDir temporary_;
  fs::path root_;
};

std::vector<CaseResult> run_session(const fs::path& data, const fs::path& folder) {
  std::vector<CaseResult> out;
  const std::string name = case_name(data, folder);
  if (!fs::exists(program_file())) return {skipped(name, "the program is not built")};
  const auto config = krm::Object::parse(read_file_or_empty(folder / "config.yaml"));
  if (!config) return {failed(name, config.error().text())};
  const Value session = config->value();
  if (const Value& reason = session["skip"]; reason.is_string())
    return {skipped(name, text(reason))};
  try {
    Session running(data, folder);
    std::size_t number = 0;
    for (const Value& command : session["commands"].items()) {
      ++number;
      out.push_back(running.run_command(command, number));
    }
  } catch (const std::exception& error) {
    out.push_back(failed(name, error.what()));
  }
  return out;
}

}  // namespace

std::vector<CaseResult> run_porch_cli(const fs::path& data) {
  std::vector<CaseResult> out;
  for (const fs::path& folder : case_folders(data))
    for (CaseResult& each : run_session(data, folder)) out.push_back(std::move(each));
  return out;
}

}  // namespace portico::conformance
