// Suite functions: single catalog functions, called directly or through render and eval.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/internal/kpt_case.h"
#include "functions/catalog.h"
#include "krm/object.h"

namespace portico::conformance {

namespace {

constexpr std::string_view kPath = "internal.config.kubernetes.io/path";
constexpr std::string_view kIndex = "internal.config.kubernetes.io/index";

Result<krm::ResourceList> read_list(const KptCase& one, bool stream) {
  krm::ResourceList list;
  for (const auto& [path, text] : one.input) {
    if (!path.ends_with(".yaml") && !path.ends_with(".yml") && !path.ends_with("Kptfile")) continue;
    PORTICO_TRY(const auto objects, krm::Object::parse_file(text), path);
    for (std::size_t i = 0; i < objects.size(); ++i) {
      krm::Item item{objects[i], path, static_cast<int>(i), "",
                     static_cast<int>(list.items.size())};
      const json::Value& annotations = objects[i].value()["metadata"]["annotations"];
      if (stream && annotations.contains(kPath)) {
        item.file = annotations[kPath].as_string();
        item.index = static_cast<int>(annotations[kIndex].as_int());
      }
      list.items.push_back(std::move(item));
    }
  }
  const std::string config = one.file("fnconfig.yaml");
  if (!config.empty()) {
    PORTICO_TRY(list.function_config, krm::Object::parse(config), "fnconfig.yaml");
  }
  return list;
}

Tree written(const KptCase& one, std::vector<krm::Item> items) {
  std::stable_sort(items.begin(), items.end(), [](const krm::Item& a, const krm::Item& b) {
    return static_cast<unsigned>(a.index) < static_cast<unsigned>(b.index);
  });
  std::map<std::string, std::vector<krm::Object>> files;
  for (const krm::Item& item : items) files[item.file].push_back(item.object);
  Tree tree = one.input;
  std::erase_if(tree, [&](const auto& entry) {
    return entry.first.ends_with(".yaml") && !files.contains(entry.first);
  });
  for (const auto& [path, objects] : files) tree[path] = krm::Object::join_file(objects);
  return tree;
}

/// Compares the items' data in order, including the path annotations of a stream.
std::string stream_difference(const KptCase& one, const std::vector<krm::Item>& items) {
  if (!one.compares("output")) return "";
  std::string want, have;
  const auto expected = krm::Object::parse_file(one.file("expected/output.yaml"));
  if (!expected) return expected.error().text();
  for (const krm::Object& object : *expected)
    want += krm::Object::from_value(object.value()).text();
  for (const krm::Item& item : items) {
    json::Value value = item.object.value();
    if (!item.file.empty()) {
      for (const std::string_view key : {kPath, std::string_view("config.kubernetes.io/path")})
        value = value.with_at({"metadata", "annotations", key}, item.file);
    }
    have += krm::Object::from_value(value).text();
  }
  return difference(want, have);
}

CaseResult run_function(const KptCase& one) {
  const bool stream = one.meta["mode"].as_string() == "function-stream";
  auto list = read_list(one, stream);
  if (!list) return failed(one.name, list.error().text());
  const functions::Entry* entry = functions::find(one.meta["function"].as_string());
  if (entry == nullptr) return skipped(one.name, "function is not built in");
  functions::Outcome outcome = entry->run(*std::move(list));
  KptRun run;
  run.success = outcome.exit_code == 0;
  run.stderr_text = outcome.stderr_text;
  run.function_results = outcome.list.results;
  run.tree = run.success ? written(one, outcome.list.items) : one.input;
  std::string difference = differences(one, run);
  if (stream) difference += stream_difference(one, outcome.list.items);
  return difference.empty() ? passed(one.name) : failed(one.name, difference);
}

}  // namespace

std::vector<CaseResult> run_functions(const std::filesystem::path& data) {
  return each_case(data, [&](const std::string& name, const std::filesystem::path& folder) {
    const auto one = read_case(data, folder);
    if (!one) return failed(name, one.error().text());
    const std::string_view mode = one->meta["mode"].as_string();
    if (mode != "function" && mode != "function-stream" && mode != "unit-table")
      return run_kpt_case(*one);
    if (const auto reason = reason_to_skip(*one)) return skipped(name, *reason);
    return mode == "unit-table" ? skipped(name, "table of an inner function") : run_function(*one);
  });
}

}  // namespace portico::conformance
