#include "conformance/internal/porch_git.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <vector>

#include "base/hash.h"
#include "testing/git_sandbox.h"

namespace portico::conformance {
namespace {

using json::Value;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

Result<std::string> git(const std::string& folder, const std::vector<std::string>& words) {
  const auto done = testing::git_try(folder, words);
  if (done.status == 0) return done.text;
  return internal("git {}: {}", fmt::join(words, " "), done.text);
}

void add_file(std::string& stream, std::string_view path, std::string_view bytes) {
  stream += fmt::format("M 100644 inline {}\ndata {}\n{}\n", path, bytes.size(), bytes);
}

// The commits in the format of git fast-import. `number` counts the repository's commits: the time
// of the n-th commit is minute n of 2024.
Result<std::string> stream_of(const Value& commits, std::size_t number,
                              const std::map<std::string, std::string>& heads) {
  constexpr std::int64_t kStartOf2024 = 1'704'067'200;
  std::map<std::string, bool> begun;
  for (const auto& [branch, commit] : heads) begun[branch] = false;
  std::string out;
  for (const Value& commit : commits.items()) {
    std::string branch(commit["branch"].as_string());
    if (branch.empty()) branch = "main";
    const std::string when = fmt::format("Ada <ada@example.com> {} +0000",
                                         kStartOf2024 + static_cast<std::int64_t>(number) * 60);
    ++number;
    const std::string message = std::string(commit["message"].as_string()) + "\n";
    out += fmt::format("commit refs/heads/{}\nauthor {}\ncommitter {}\ndata {}\n{}\n", branch, when,
                       when, message.size(), message);
    const auto known = begun.find(branch);
    if (known == begun.end()) {
      if (const std::string_view from = commit["from"].as_string(); !from.empty())
        out += fmt::format("from refs/heads/{}\n", from);
    } else if (!known->second) {
      out += fmt::format("from refs/heads/{}^0\n", branch);
    }
    begun[branch] = true;
    for (const json::Member& file : commit["files"].members())
      add_file(out, file.name(), file.value.as_string());
    for (const json::Member& file : commit["binary"].members()) {
      std::string bytes;
      if (!base64_decode(file.value.as_string(), bytes)) return invalid("no base64");
      add_file(out, file.name(), bytes);
    }
    for (const Value& path : commit["remove"].items())
      out += fmt::format("D {}\n", path.as_string());
    out += "\n";
    for (const Value& tag : commit["tags"].items())
      out += fmt::format("reset refs/tags/{}\nfrom refs/heads/{}\n\n", tag.as_string(), branch);
  }
  return out;
}

}  // namespace

Result<Done> make_repository(const std::string& folder, const Value& commits) {
  const std::size_t slash = folder.rfind('/');
  PORTICO_DO(git(folder.substr(0, slash),
                 {"init", "--quiet", "--bare", "--initial-branch=main", folder.substr(slash + 1)}));
  return add_commits(folder, commits);
}

Result<Done> add_commits(const std::string& folder, const Value& commits) {
  if (commits.empty()) return Done{};
  PORTICO_TRY(const std::string refs,
              git(folder, {"for-each-ref", "--format=%(refname:strip=2)", "refs/heads"}));
  PORTICO_TRY(const std::string all, git(folder, {"rev-list", "--all", "--author=Ada"}));
  std::map<std::string, std::string> heads;
  for (const std::string& head : lines_of(refs)) heads[head];
  PORTICO_TRY(const std::string stream, stream_of(commits, lines_of(all).size(), heads));
  const std::string file = folder + "/commits.stream";
  std::ofstream(file, std::ios::binary) << stream;
  PORTICO_TRY(
      const std::string said,
      git(folder, {"-c", "alias.take=!git fast-import --quiet --force <commits.stream", "take"}));
  return Done{};
}

Result<Value> look_at(const std::string& folder, const Value& step) {
  Value out = Value::object();
  if (step["refs"].as_bool()) {
    PORTICO_TRY(const std::string text,
                git(folder, {"for-each-ref", "--format=%(refname) %(objectname)"}));
    Value refs = Value::object();
    for (const std::string& line : lines_of(text))
      refs = refs.with(line.substr(0, line.find(' ')), line.substr(line.find(' ') + 1));
    out = out.with("refs", std::move(refs));
  }
  if (const std::string ref(step["tree"].as_string()); !ref.empty()) {
    PORTICO_TRY(const std::string text, git(folder, {"ls-tree", "-r", "--name-only", ref}));
    std::vector<Value> paths;
    for (const std::string& path : lines_of(text)) paths.emplace_back(path);
    out = out.with("tree", Value::array(std::move(paths)));
  }
  for (const char* show : {"show", "showBase64"}) {
    const std::string_view what = step[show].as_string();
    const std::size_t mark = what.rfind('@');
    if (mark == std::string_view::npos) continue;
    PORTICO_TRY(const std::string text,
                git(folder, {"cat-file", "blob",
                             fmt::format("{}:{}", what.substr(mark + 1), what.substr(0, mark))}));
    out =
        out.with(show, show == std::string_view("show") ? Value(text) : Value(base64_encode(text)));
  }
  return out;
}

}  // namespace portico::conformance
