#include "render/report.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "render/internal/kptfile_form.h"
#include "render/internal/yaml_text.h"

namespace portico::render {

namespace {

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string shown(const krm::FunctionResult& result) {
  std::string out = fmt::format("[{}]", result.severity.empty() ? "info" : result.severity);
  if (result.resource) {
    std::vector<std::string> parts;
    for (const std::string& part : {result.resource->api_version, result.resource->kind,
                                    result.resource->ns, result.resource->name})
      if (!part.empty()) parts.push_back(part);
    if (!parts.empty()) out += fmt::format(" {}", fmt::join(parts, "/"));
  }
  if (!result.field_path.empty()) out += " " + result.field_path;
  return out + ": " + one_line(result.message);
}

/// Formats a duration like Go, in tenths of a second.
std::string shown(std::chrono::milliseconds took) {
  const auto tenths = took.count() / 100;
  if (tenths == 0) return "0s";
  if (tenths < 10) return fmt::format("{}00ms", tenths);
  const std::string seconds = fmt::format("{}{}s", tenths / 10 % 60,
                                          tenths % 10 == 0 ? "" : fmt::format(".{}", tenths % 10));
  return tenths < 600 ? seconds : fmt::format("{}m{}", tenths / 600, seconds);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// An empty last line counts as a line, as in kpt.
void append_lines(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.append("    ").append(trimmed(text.substr(at, end - at))).append("\n");
    at = end + 1;
  }
}

const std::string& name_of(const FunctionRun& run) {
  return run.image.empty() ? run.exec : run.image;
}

void write_result(YamlWriter& yaml, const krm::FunctionResult& result) {
  yaml.item();
  yaml.text("message", result.message);
  yaml.text("severity", result.severity);
  if (result.resource) {
    yaml.open("resourceRef");
    yaml.text("apiVersion", result.resource->api_version);
    yaml.text("kind", result.resource->kind);
    yaml.text("name", result.resource->name);
    yaml.text("namespace", result.resource->ns);
    yaml.close();
  }
  if (!result.field_path.empty()) {
    yaml.open("field");
    yaml.text("path", result.field_path);
    yaml.close();
  }
  if (!result.file.empty() || result.index != 0) {
    yaml.open("file");
    yaml.text("path", result.file);
    if (result.index != 0) yaml.number("index", result.index);
    yaml.close();
  }
  yaml.close();
}

void write_results(YamlWriter& yaml, std::string_view key,
                   const std::vector<krm::FunctionResult>& results) {
  if (results.empty()) return;
  yaml.open(key);
  for (const krm::FunctionResult& result : results) write_result(yaml, result);
  yaml.close();
}

void write_step(YamlWriter& yaml, const FunctionRun& run, bool for_status) {
  yaml.item();
  if (for_status) yaml.text("name", run.name);
  yaml.text("image", run.image);
  yaml.text("exec", run.exec);
  if (for_status) yaml.text("executionError", run.error);
  yaml.text("stderr", run.stderr_text);
  yaml.number("exitCode", run.exit_code);
  write_results(yaml, "results", run.results);
  if (for_status) {
    std::vector<krm::FunctionResult> errors;
    for (const krm::FunctionResult& result : run.results)
      if (result.severity == "error") errors.push_back(result);
    write_results(yaml, "errorResults", errors);
  }
  yaml.close();
}

std::vector<const FunctionRun*> all_runs(const Rendered& rendered) {
  std::vector<const FunctionRun*> runs;
  for (const PackageRun& package : rendered.packages)
    for (const FunctionRun& run : package.functions) runs.push_back(&run);
  return runs;
}

/// kpt's chain of operations and packages.
std::string failure_text(const Rendered& rendered) {
  const auto failed = std::find_if(rendered.packages.begin(), rendered.packages.end(),
                                   [](const PackageRun& package) { return !package.ok; });
  if (failed == rendered.packages.end()) return rendered.failure->text();
  const std::string folder = failed->folder.empty() ? "." : "./" + failed->folder;
  const bool in_function = !failed->functions.empty() && !failed->functions.back().ok();
  if (!in_function) {
    // The outermost place is the package, which is already in the prefix.
    Error error = *rendered.failure;
    if (!error.where.empty()) error.where.pop_back();
    return fmt::format("pkg.render: pkg {}: {}", folder, error.text());
  }
  const FunctionRun& run = failed->functions.back();
  const std::string why = run.error.empty() ? "already handled error" : run.error;
  if (rendered.breadth_first && !failed->folder.empty())
    return fmt::format("pkg.render: pkg .:\n\tpipeline.run: pkg {}: {}", folder, why);
  return fmt::format("pkg.render: pkg {}:\n\tpipeline.run: {}", folder, why);
}

void write_conditions(YamlWriter& yaml, const krm::Object& kptfile, const Rendered& rendered) {
  yaml.open("conditions");
  for (const json::Value& condition : kptfile.value()["status"]["conditions"].items()) {
    if (!condition.is_object() || condition["type"].as_string() == "Rendered") continue;
    yaml.item();
    for (const char* key : {"type", "status", "reason", "message"})
      yaml.text(key, condition[key].as_string());
    yaml.close();
  }
  yaml.item();
  yaml.text("type", "Rendered");
  yaml.text("status", rendered.failure ? "False" : "True");
  yaml.text("reason", rendered.failure ? "RenderFailed" : "RenderSuccess");
  if (rendered.failure) yaml.text("message", failure_text(rendered));
  yaml.close();
  yaml.close();
}

void write_render_status(YamlWriter& yaml, const Rendered& rendered) {
  const std::vector<const FunctionRun*> runs = all_runs(rendered);
  if (runs.empty()) return;
  yaml.open("renderStatus");
  std::vector<std::string> errors;
  for (const bool validators : {false, true}) {
    bool opened = false;
    for (const FunctionRun* run : runs) {
      if (run->validator != validators) continue;
      if (!opened) yaml.open(validators ? "validationSteps" : "mutationSteps");
      opened = true;
      write_step(yaml, *run, true);
    }
    if (opened) yaml.close();
  }
  for (const FunctionRun* run : runs) {
    if (run->ok()) continue;
    errors.push_back(
        fmt::format("{}: {}", name_of(*run),
                    run->error.empty() ? fmt::format("exit code {}", run->exit_code) : run->error));
  }
  yaml.text("errorSummary", fmt::format("{}", fmt::join(errors, "\n")));
  yaml.close();
}

}  // namespace

std::string log_text(const FunctionRun& run, const std::string& where) {
  const std::string& name = name_of(run);
  std::string out =
      fmt::format("[RUNNING] \"{}\"{}{}\n", name,
                  run.selected ? fmt::format(" on {} resource(s)", *run.selected) : "", where);
  out += fmt::format("[{}] \"{}\" in {}\n", run.ok() ? "PASS" : "FAIL", name, shown(run.took));
  if (!run.results.empty()) {
    out += "  [Results]:\n";
    for (const krm::FunctionResult& result : run.results) out += "    " + shown(result) + "\n";
  }
  if (!run.stderr_text.empty()) {
    out += "  Stderr:\n";
    append_lines(out, run.stderr_text);
  }
  if (!run.ok() && run.error.empty()) out += fmt::format("  Exit code: {}\n", run.exit_code);
  return out;
}

std::string log_text(const Rendered& rendered, bool summary) {
  std::string out;
  std::size_t count = 0;
  for (const PackageRun& package : rendered.packages) {
    out += fmt::format("Package \"{}\":\n", package.name);
    for (const FunctionRun& run : package.functions) {
      if (run.ran || run.error.empty())
        out += log_text(run, fmt::format(" on package \"{}\"", package.name));
      if (run.ok()) ++count;
    }
    if (package.ok) out += "\n";
  }
  if (!summary) return out;
  const std::size_t packages = rendered.packages.size();
  if (!rendered.failure) {
    out += fmt::format("Successfully executed {} function(s) in {} package(s).\n", count, packages);
  } else if (rendered.saved_on_failure) {
    out += count == 0 ? fmt::format("Failed to execute any functions in {} package(s).\n", packages)
                      : fmt::format("Partially executed {} function(s) in {} package(s).\n", count,
                                    packages);
  }
  return out;
}

std::string result_list(const Rendered& rendered) {
  const std::vector<const FunctionRun*> runs = all_runs(rendered);
  const bool failed = std::any_of(runs.begin(), runs.end(), [](const FunctionRun* run) {
    return run->ran && run->exit_code != 0 && run->error.empty();
  });
  YamlWriter yaml;
  yaml.text("apiVersion", "kpt.dev/v1");
  yaml.text("kind", "FunctionResultList");
  yaml.open("metadata");
  yaml.text("name", "fnresults");
  yaml.close();
  yaml.number("exitCode", failed ? 1 : 0);
  bool opened = false;
  for (const FunctionRun* run : runs) {
    if (!run->ran) continue;
    if (!opened) yaml.open("items");
    opened = true;
    write_step(yaml, *run, false);
  }
  if (opened) yaml.close();
  return yaml.take();
}

Result<krm::Object> with_status(const krm::Object& kptfile, const Rendered& rendered) {
  YamlWriter yaml;
  yaml.open("status");
  write_conditions(yaml, kptfile, rendered);
  write_render_status(yaml, rendered);
  yaml.close();
  PORTICO_TRY(const krm::Object status, krm::Object::parse(yaml.take()));
  krm::Object result = in_kpts_form(kptfile);
  krm::Edit edit;
  edit.path = edit.from_path = {std::string("status")};
  edit.from = &status;
  PORTICO_DO(result.edit({edit}));
  return result;
}

}  // namespace portico::render
