#include "conformance/support.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <fstream>
#include <span>
#include <sstream>
#include <utility>

#include "json/text.h"

namespace portico::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kContext = 3;
constexpr std::size_t kMostLinesShown = 200;
// The table of the longest common subsequence has lines x lines entries; above this limit the
// differing middle is shown as one replaced block.
constexpr std::size_t kMostTableEntries = 4'000'000;

struct Line {
  char sign;  // ' ', '-' or '+'
  std::string text;
};

// Lines with their newline, so that a missing one at the end is a difference.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

Line line(char sign, std::string_view text) {
  if (text.ends_with('\n')) return {sign, std::string(text.substr(0, text.size() - 1))};
  return {sign, std::string(text) + "\n\\ no newline at the end"};
}

using Lines = std::span<const std::string_view>;

// Appends the differences between `want` and `have` by their longest common subsequence.
void append_middle(std::vector<Line>& script, Lines want, Lines have) {
  const std::size_t rows = want.size() + 1, columns = have.size() + 1;
  std::size_t i = 0, j = 0;
  if (rows * columns <= kMostTableEntries) {
    std::vector<std::uint32_t> common(rows * columns, 0);
    for (std::size_t r = want.size(); r-- > 0;)
      for (std::size_t c = have.size(); c-- > 0;)
        common[r * columns + c] = want[r] == have[c] ? common[(r + 1) * columns + c + 1] + 1
                                                     : std::max(common[(r + 1) * columns + c],
                                                                common[r * columns + c + 1]);
    while (i < want.size() && j < have.size()) {
      if (want[i] == have[j]) {
        script.push_back(line(' ', want[i]));
        ++i, ++j;
      } else if (common[(i + 1) * columns + j] >= common[i * columns + j + 1]) {
        script.push_back(line('-', want[i++]));
      } else {
        script.push_back(line('+', have[j++]));
      }
    }
  }
  while (i < want.size()) script.push_back(line('-', want[i++]));
  while (j < have.size()) script.push_back(line('+', have[j++]));
}

std::vector<Line> edit_script(Lines want, Lines have) {
  const auto [a, b] = std::mismatch(want.begin(), want.end(), have.begin(), have.end());
  const auto head = static_cast<std::size_t>(a - want.begin());
  std::size_t tail = 0;
  while (tail < std::min(want.size(), have.size()) - head &&
         want[want.size() - 1 - tail] == have[have.size() - 1 - tail])
    ++tail;
  std::vector<Line> script;
  for (std::size_t i = 0; i < head; ++i) script.push_back(line(' ', want[i]));
  append_middle(script, want.subspan(head, want.size() - head - tail),
                have.subspan(head, have.size() - head - tail));
  for (std::size_t i = want.size() - tail; i < want.size(); ++i)
    script.push_back(line(' ', want[i]));
  return script;
}

}  // namespace

CaseResult passed(std::string name) { return {std::move(name), Outcome::kPassed, ""}; }
CaseResult failed(std::string name, std::string difference) {
  return {std::move(name), Outcome::kFailed, std::move(difference)};
}
CaseResult skipped(std::string name, std::string reason) {
  return {std::move(name), Outcome::kSkipped, std::move(reason)};
}

Result<std::string> read_file(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return not_found("no file \"{}\"", file.string());
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!fs::is_regular_file(file, ignored) || !in || (text << in.rdbuf(), in.bad()))
    return unavailable("cannot read \"{}\"", file.string());
  return std::move(text).str();
}

std::string read_file_or_empty(const fs::path& file) {
  auto text = read_file(file);
  return text ? *std::move(text) : "";
}

std::vector<fs::path> case_folders(const fs::path& data, std::string_view marker) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  fs::recursive_directory_iterator it(data, ignored), end;
  for (; it != end; it.increment(ignored)) {
    if (!it->is_directory(ignored) || !fs::exists(it->path() / marker, ignored)) continue;
    folders.push_back(it->path());
    it.disable_recursion_pending();
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<fs::path> files_with(const fs::path& data, std::string_view extension) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(data, ignored))
    if (entry.is_regular_file(ignored) && entry.path().filename().string().ends_with(extension))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string case_name(const fs::path& data, const fs::path& folder) {
  return folder.lexically_relative(data).generic_string();
}

Result<std::vector<json::Value>> read_jsonl(const fs::path& file) {
  PORTICO_TRY(const std::string text, read_file(file));
  std::vector<json::Value> values;
  std::size_t number = 0;
  for (std::string_view row : lines_of(text)) {
    ++number;
    if (trimmed(row).empty()) continue;
    PORTICO_TRY(json::Value value, json::parse(row), fmt::format("{}:{}", file.string(), number));
    values.push_back(std::move(value));
  }
  return values;
}

Tree read_tree(const fs::path& folder) {
  Tree tree;
  std::error_code ignored;
  fs::recursive_directory_iterator it(folder, ignored), end;
  for (; it != end; it.increment(ignored)) {
    if (it->path().filename() == ".git") {
      it.disable_recursion_pending();
    } else if (it->is_regular_file(ignored)) {
      tree.emplace(case_name(folder, it->path()), read_file_or_empty(it->path()));
    }
  }
  return tree;
}

Result<Done> write_tree(const fs::path& folder, const Tree& tree) {
  std::error_code error;
  fs::create_directories(folder, error);
  for (const auto& [path, bytes] : tree) {
    const fs::path file = folder / path;
    fs::create_directories(file.parent_path(), error);
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << bytes;
    if (!out.flush()) return unavailable("cannot write \"{}\"", file.string());
  }
  return Done{};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWhite = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(kWhite);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kWhite) - first + 1);
}

std::string difference(std::string_view want, std::string_view have) {
  if (want == have) return "";
  const auto want_lines = lines_of(want), have_lines = lines_of(have);
  const std::vector<Line> script = edit_script(want_lines, have_lines);
  // Show lines within kContext lines of a change.
  std::vector<bool> shown(script.size(), false);
  for (std::size_t i = 0; i < script.size(); ++i) {
    if (script[i].sign == ' ') continue;
    const std::size_t first = i < kContext ? 0 : i - kContext;
    for (std::size_t j = first; j < std::min(script.size(), i + kContext + 1); ++j) shown[j] = true;
  }
  std::string out = "--- want\n+++ have\n";
  std::size_t want_at = 1, have_at = 1, count = 0;
  for (std::size_t i = 0; i < script.size(); ++i) {
    const auto& [sign, text] = script[i];
    if (shown[i]) {
      if (++count > kMostLinesShown) return out + "... and more\n";
      if (i == 0 || !shown[i - 1]) out += fmt::format("@@ -{} +{} @@\n", want_at, have_at);
      out += sign + text + '\n';
    }
    want_at += sign != '+' ? 1 : 0;
    have_at += sign != '-' ? 1 : 0;
  }
  return out;
}

std::string difference(const Tree& want, const Tree& have) {
  std::string out;
  for (const auto& [path, bytes] : want) {
    const auto found = have.find(path);
    if (found == have.end()) {
      out += "missing file: " + path + "\n";
    } else if (const std::string text = difference(bytes, found->second); !text.empty()) {
      out += "file " + path + "\n" + text;
    }
  }
  for (const auto& [path, bytes] : have)
    if (!want.contains(path)) out += "file too many: " + path + "\n";
  return out;
}

CaseResult compare(std::string name, std::string_view want, std::string_view have) {
  std::string text = difference(want, have);
  return text.empty() ? passed(std::move(name)) : failed(std::move(name), std::move(text));
}

CaseResult compare(std::string name, const Tree& want, const Tree& have) {
  std::string text = difference(want, have);
  return text.empty() ? passed(std::move(name)) : failed(std::move(name), std::move(text));
}

CaseResult guarded(std::string name, const std::function<CaseResult()>& run) {
  try {
    return run();
  } catch (const std::exception& thrown) {
    return failed(std::move(name), fmt::format("exception: {}\n", thrown.what()));
  }
}

std::vector<CaseResult> each_case(const fs::path& data, const RunCase& run) {
  std::vector<CaseResult> results;
  for (const fs::path& folder : case_folders(data)) {
    const std::string name = case_name(data, folder);
    results.push_back(guarded(name, [&] { return run(name, folder); }));
  }
  return results;
}

}  // namespace portico::conformance
