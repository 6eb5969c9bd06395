#include "conformance/internal/kpt_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "conformance/internal/kpt_program.h"
#include "fnrun/builtin.h"
#include "functions/catalog.h"
#include "json/text.h"
#include "krm/object.h"
#include "render/eval.h"
#include "render/report.h"

namespace portico::conformance {

namespace {

namespace fs = std::filesystem;

// Features that a case may need and that the library has, or that make no difference because
// built-in functions need neither image nor container.
const std::set<std::string_view> kFeatures{
    "selectors", "bfs-order", "save-on-render-failure", "image-pull-policy", "image-tag-constraint",
    // features of the program
    "exec", "pipe", "symlink", "save-fn", "pkg-init", "function-as-filter"};

json::Value parse_yaml(const std::string& text) {
  const auto object = krm::Object::parse(text);
  return object ? object->value() : json::Value();
}

std::vector<std::string> strings(const json::Value& list) {
  std::vector<std::string> result;
  for (const json::Value& item : list.items()) result.emplace_back(item.as_string());
  return result;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

std::string without_lines(const std::string& text, const json::Value& lines) {
  const std::vector<std::string> strip = strings(lines);
  std::string result;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    from = end + 1;
    if (std::find(strip.begin(), strip.end(), line) == strip.end()) result += line + "\n";
  }
  return result;
}

/// The Kptfile without the status that a kpt version did not write yet; compared as data, since
/// that version re-encoded the file.
json::Value without_status(const std::string& kptfile) {
  return parse_yaml(kptfile).without("status");
}

std::vector<json::Value> documents(const std::string& text) {
  std::vector<json::Value> result;
  const auto objects = krm::Object::parse_file(text);
  if (!objects) return result;
  for (const krm::Object& object : *objects) result.push_back(object.value());
  return result;
}

bool same_file(const KptCase& one, const std::string& path, const std::string& want,
               const std::string& have) {
  if (want == have) return true;
  const std::string_view how = one.meta["compare"]["tree"].as_string();
  const bool old_kptfile = one.meta["compare"]["kptfile_status"].as_string() == "ignore";
  if (path == "Kptfile" && old_kptfile) return without_status(want) == without_status(have);
  if (how == "text-modulo-seq-indent")
    return modulo_sequence_indent(want) == modulo_sequence_indent(have);
  return how == "yaml" && documents(want) == documents(have);
}

std::string tree_difference(const KptCase& one, Tree have) {
  if (!one.compares("tree")) return "";
  Tree want = one.expected;
  // Files that the suite omitted, and that a command may create again.
  for (const std::string& dropped : strings(one.meta["source"]["dropped"]))
    if (!want.contains(dropped)) have.erase(dropped);
  const bool modulo = one.meta["compare"]["tree"].as_string() == "text-modulo-seq-indent";
  for (auto& [path, text] : want) {
    const auto at = have.find(path);
    if (at == have.end()) continue;
    if (same_file(one, path, text, at->second)) {
      at->second = text;
    } else if (modulo) {
      text = modulo_sequence_indent(text);
      at->second = modulo_sequence_indent(at->second);
    }
  }
  return difference(want, have);
}

std::string messages(const json::Value& list) {
  std::string result = fmt::format("exitCode {}\n", list["exitCode"].as_int());
  for (const json::Value& item : list["items"].items()) {
    result += fmt::format("item exitCode {}\n", item["exitCode"].as_int());
    for (const json::Value& one : item["results"].items())
      result += fmt::format("[{}] {}\n", one["severity"].as_string(), one["message"].as_string());
  }
  return result;
}

/// The fields in `want`, from `have`, one per line.
std::string listed_items(const json::Value& want, const std::vector<krm::FunctionResult>& have,
                         std::string& got) {
  std::string expected;
  std::size_t i = 0;
  for (const json::Value& item : want["items"].items()) {
    const krm::FunctionResult result = i < have.size() ? have[i] : krm::FunctionResult{};
    const auto add = [&](std::string_view name, std::string_view a, std::string_view b) {
      expected += fmt::format("{} {}: {}\n", i, name, a);
      got += fmt::format("{} {}: {}\n", i, name, b);
    };
    add("message", item["message"].as_string(), result.message);
    if (item.contains("severity")) add("severity", item["severity"].as_string(), result.severity);
    if (item["field"].contains("path"))
      add("field", item["field"]["path"].as_string(), result.field_path);
    if (item["file"].contains("path")) add("file", item["file"]["path"].as_string(), result.file);
    if (item["file"].contains("index")) {
      add("index", std::to_string(item["file"]["index"].as_int()), std::to_string(result.index));
    }
    ++i;
  }
  expected += fmt::format("{} items\n", i);
  got += fmt::format("{} items\n", have.size());
  return expected;
}

std::string results_difference(const KptCase& one, const KptRun& run) {
  const std::string_view how = one.meta["compare"]["results"].as_string();
  if (how.empty()) return "";
  const std::string want = one.file("expected-results.yaml");
  if (how == "items") {
    std::string got;
    std::vector<krm::FunctionResult> have = run.function_results;
    // The tables list what the filter reports, not how its program ends.
    if (!run.success)
      std::erase_if(have, [](const auto& result) { return result.severity == "error"; });
    const std::string expected = listed_items(parse_yaml(want), have, got);
    return difference(expected, got);
  }
  if (how == "messages") {
    const json::Value expected = parse_yaml(want);
    if (run.results.empty()) {  // one function, called directly
      std::string a, b;
      for (const json::Value& item : expected["items"].items())
        a += fmt::format("[{}] {}\n", item["severity"].as_string(), item["message"].as_string());
      for (const krm::FunctionResult& result : run.function_results)
        b += fmt::format("[{}] {}\n", result.severity, result.message);
      return difference(a, b);
    }
    return difference(messages(expected), messages(parse_yaml(run.results)));
  }
  const std::string have = without_lines(run.results, one.meta["compare"]["results_strip_lines"]);
  return difference(std::string(trimmed(want)) + "\n", std::string(trimmed(have)) + "\n");
}

std::string expectation_difference(const KptCase& one, const KptRun& run) {
  const json::Value& expect = one.meta["expect"];
  const bool success = expect.contains("exit_code") ? expect["exit_code"].as_int() == 0
                       : expect.contains("success") ? expect["success"].as_bool()
                                                    : true;
  std::string out;
  if (success != run.success) {
    out += fmt::format("expected {}, got {}: {}\n", success ? "success" : "failure",
                       run.success ? "success" : "failure", run.stderr_text);
  }
  std::string said = run.stderr_text;
  for (const krm::FunctionResult& result : run.function_results) said += "\n" + result.message;
  for (const char* field : {"stderr_contains", "error_contains", "result_message_prefix"}) {
    const std::string want(trimmed(expect[field].as_string()));
    const std::string text = without_lines(said, expect["stderr_strip_lines"]);
    if (text.find(without_lines(want, {}).substr(0, want.size())) == std::string::npos)
      out += fmt::format("{}: not found\n{}\nin\n{}\n", field, want, text);
  }
  const std::string printed(trimmed(expect["stdout_contains"].as_string()));
  if (run.stdout_text && run.stdout_text->find(printed) == std::string::npos)
    out += fmt::format("stdout_contains: not found\n{}\nin\n{}\n", printed, *run.stdout_text);
  const std::string pattern(expect["stderr_regex"].as_string());
  if (!pattern.empty() && !std::regex_search(said, std::regex(pattern)))
    out += fmt::format("stderr_regex \"{}\" does not match\n{}\n", pattern, said);
  return out;
}

}  // namespace

std::string KptCase::file(std::string_view path) const { return read_file_or_empty(folder / path); }

Result<KptCase> read_case(const fs::path& data, const fs::path& folder) {
  KptCase one{case_name(data, folder),
              folder,
              {},
              read_tree(folder / "input"),
              read_tree(folder / "expected")};
  PORTICO_TRY(const std::string text, read_file(folder / "case.yaml"));
  PORTICO_TRY(const krm::Object object, krm::Object::parse(text), one.name);
  one.meta = object.value();
  return one;
}

std::optional<std::string> reason_to_skip(const KptCase& one) {
  const json::Value& requires_value = one.meta["requires"];
  for (const std::string& name : strings(requires_value["functions"]))
    if (functions::find(name) == nullptr) return fmt::format("function {} is not built in", name);
  for (const std::string& name : strings(requires_value["other_functions"]))
    return fmt::format("function {} is no catalog function", name);
  for (const std::string& name : strings(requires_value["features"]))
    if (!kFeatures.contains(name)) {
      // A catalog function as WebAssembly is built in like all others.
      const bool wasm = requires_value["functions"].size() != 0 &&
                        std::ranges::count(strings(requires_value["features"]), "wasm") != 0;
      if (!wasm) return fmt::format("needs {}", name);
    }
  if (one.meta["upstream_skip"].as_bool()) return "skipped upstream";
  return std::nullopt;
}

krm::Package to_package(const Tree& tree) {
  krm::Package package;
  for (const auto& [path, text] : tree) package.set(path, text);
  return package;
}

Tree to_tree(const krm::Package& package) {
  Tree tree;
  for (const auto& [path, file] : package.files) tree.emplace(path, file.text());
  return tree;
}

KptRun to_run(Result<render::Rendered> rendered, const Tree& keep_tree) {
  KptRun run;
  if (!rendered) {
    run.success = false;
    run.stderr_text = "Error: " + rendered.error().text();
    run.tree = keep_tree;
    return run;
  }
  run.tree = to_tree(rendered->package);
  run.success = !rendered->failure.has_value();
  run.stderr_text = render::log_text(*rendered);
  if (rendered->failure) run.stderr_text += "Error: " + rendered->failure->text();
  run.results = render::result_list(*rendered);
  for (const render::PackageRun& package : rendered->packages)
    for (const render::FunctionRun& function : package.functions)
      run.function_results.insert(run.function_results.end(), function.results.begin(),
                                  function.results.end());
  return run;
}

namespace {

struct Arguments {
  std::string image, config_file;
  api::Selector match, exclude;
  std::string tag;
  std::map<std::string, std::string> data;
  std::string unsupported;
};

Arguments parse_arguments(const std::vector<std::string>& words) {
  Arguments result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i], value;
    if (word == "--") {
      while (++i < words.size()) {
        const std::size_t equals = words[i].find('=');
        if (equals != std::string::npos)
          result.data[words[i].substr(0, equals)] = words[i].substr(equals + 1);
      }
      break;
    }
    if (!word.starts_with("-")) continue;  // the package
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos) {
      value = word.substr(equals + 1);
      word.resize(equals);
    } else if (i + 1 < words.size()) {
      value = words[++i];
    }
    if (word == "--image" || word == "-i") {
      result.image = value;
    } else if (word == "--fn-config") {
      result.config_file = value;
    } else if (word == "--match-kind") {
      result.match.kind = value;
    } else if (word == "--match-name") {
      result.match.name = value;
    } else if (word == "--exclude-kind") {
      result.exclude.kind = value;
    } else if (word == "--tag") {
      result.tag = value;
    } else if (word != "--results-dir" && word != "--image-pull-policy") {
      result.unsupported = word;
    }
  }
  return result;
}

/// Replaces `{content-of:FILE}` by the text of a file in the package.
std::string with_contents(const KptCase& one, std::string value) {
  constexpr std::string_view kBegin = "{content-of:{pkg}/";
  const std::size_t begin = value.find(kBegin);
  const std::size_t end =
      value.find('}', begin == std::string::npos ? begin : begin + kBegin.size());
  if (end == std::string::npos) return value;
  const std::string path = value.substr(begin + kBegin.size(), end - begin - kBegin.size());
  return value.replace(begin, end + 1 - begin, read_file_or_empty(one.folder / "input" / path));
}

KptRun evaluate_case(const KptCase& one, const Arguments& arguments,
                     const render::Options& options) {
  render::Evaluation evaluation;
  evaluation.function.image = arguments.image;
  evaluation.function.tag = arguments.tag;
  for (const auto& [key, value] : arguments.data)
    evaluation.function.config_map[key] = with_contents(one, value);
  if (arguments.match != api::Selector{}) evaluation.function.selectors = {arguments.match};
  if (arguments.exclude != api::Selector{}) evaluation.function.exclude = {arguments.exclude};
  if (!arguments.config_file.empty()) {
    std::string path = replaced(arguments.config_file, "{case}", one.folder.string());
    const std::string package = "{pkg}/";
    if (path.starts_with(package))
      path = (one.folder / "input" / path.substr(package.size())).string();
    const fs::path file =
        fs::path(path).is_absolute() ? fs::path(path) : one.folder / "input" / path;
    auto config = krm::Object::parse(read_file_or_empty(file));
    if (!config) return to_run(std::move(config).error(), one.input);
    evaluation.config = *std::move(config);
    // {case}/input is not the work copy of the package.
    if (!arguments.config_file.starts_with("{case}"))
      evaluation.config_file = fs::relative(file, one.folder / "input").generic_string();
  }
  auto evaluated =
      render::evaluate(to_package(one.input), evaluation, fnrun::BuiltinRunner(), options);
  std::string log, error;
  if (evaluated) {
    for (const render::FunctionRun& function : evaluated->packages[0].functions) {
      log += render::log_text(function, "");
      error = function.error;
    }
  }
  KptRun run = to_run(std::move(evaluated), one.input);
  if (!log.empty()) run.stderr_text = log + (error.empty() ? "" : "error: " + error + "\n");
  return run;
}

/// Returns nullopt, with the reason in `why`, if the command cannot be run here.
std::optional<KptRun> run_command(const KptCase& one, std::string& why) {
  if (needs_program(one)) return run_program(one, why);
  const auto steps = one.meta["run"].items();
  const std::vector<std::string> words = strings(steps[0]["pipe"].items()[0]);
  if (words.size() < 3 || words[0] != "kpt" || words[1] != "fn") {
    why = "not `kpt fn render` or `kpt fn eval`";
    return std::nullopt;
  }
  const Arguments arguments = parse_arguments({words.begin() + 3, words.end()});
  if (!arguments.unsupported.empty()) return run_program(one, why);
  render::Options options;
  options.package_name = std::string(one.meta["package_dir"].as_string());
  options.write_status = true;
  if (words[2] == "render") {
    return to_run(render::render(to_package(one.input), fnrun::BuiltinRunner(), options),
                  one.input);
  }
  if (words[2] == "eval") return evaluate_case(one, arguments, options);
  return run_program(one, why);
}

}  // namespace

CaseResult run_kpt_case(const KptCase& one) {
  if (const auto reason = reason_to_skip(one)) return skipped(one.name, *reason);
  std::string why;
  const auto run = run_command(one, why);
  if (!run) return skipped(one.name, why);
  const std::string difference = differences(one, *run);
  return difference.empty() ? passed(one.name) : failed(one.name, difference);
}

std::string differences(const KptCase& one, const KptRun& run) {
  return expectation_difference(one, run) + tree_difference(one, run.tree) +
         results_difference(one, run);
}

std::string modulo_sequence_indent(std::string_view text) {
  struct Shift {
    std::size_t from, by;  // lines at column `from` or beyond move left by `by`
  };
  std::vector<Shift> shifts;
  std::size_t key_column = 0;
  bool after_key = false;
  std::string out;
  std::string_view rest = trimmed(text);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t column = line.find_first_not_of(' ');
    if (column == std::string_view::npos) {
      out += "\n";
      continue;
    }
    std::string_view content = line.substr(column);
    while (!shifts.empty() && column < shifts.back().from) shifts.pop_back();
    const bool dash = content.starts_with("- ") || content == "-";
    const std::size_t by = shifts.empty() ? 0 : shifts.back().by;
    if (dash && after_key && column > key_column)
      shifts.push_back({column, by + column - key_column});
    out.append(column - (shifts.empty() ? 0 : shifts.back().by), ' ').append(content).append("\n");
    if (content.starts_with("#")) continue;
    std::size_t key = column;
    while (content.starts_with("- ")) {
      content.remove_prefix(2);
      key += 2;
    }
    const std::string_view before = content.substr(0, std::min(content.find(" #"), content.size()));
    after_key = trimmed(before).ends_with(":");
    key_column = key;
  }
  return out;
}

}  // namespace portico::conformance
