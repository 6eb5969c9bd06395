#include "functions/set_annotations.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "functions/internal/config.h"
#include "functions/internal/field_spec.h"
#include "functions/internal/outcome.h"
#include "json/text.h"

namespace portico::functions {

namespace {

FieldSpec spec(std::string_view group, std::string_view version, std::string_view kind,
               std::string_view path) {
  return field_spec(group, version, kind, path, true);
}

std::vector<FieldSpec> built_in_specs() {
  constexpr std::string_view kPod = "spec/template/metadata/annotations";
  return {spec("", "", "", "metadata/annotations"),
          spec("", "v1", "ReplicationController", kPod),
          spec("", "", "Deployment", kPod),
          spec("", "", "ReplicaSet", kPod),
          spec("", "", "DaemonSet", kPod),
          spec("", "", "StatefulSet", kPod),
          spec("batch", "", "Job", kPod),
          spec("batch", "", "CronJob", "spec/jobTemplate/metadata/annotations"),
          spec("batch", "", "CronJob", "spec/jobTemplate/spec/template/metadata/annotations")};
}

struct Config {
  std::map<std::string, std::string> annotations;
  std::vector<FieldSpec> specs;
};

Result<Config> read_config(const std::optional<krm::Object>& config) {
  Config result;
  if (!config || is_config_map(*config)) {
    if (config) result.annotations = texts(*config, "data");
  } else if (is_fn_config(*config, "SetAnnotations") ||
             is_fn_config(*config, "SetAnnotationConfig")) {
    result.annotations = texts(*config, "annotations");
    const json::Value& fields = config->value()["additionalAnnotationFields"];
    const json::Value& old_fields = config->value()["fieldSpecs"];
    if (!fields.empty() && !old_fields.empty())
      return invalid(
          "`fieldSpecs` is the old name of `additionalAnnotationFields`, specify only one of them");
    PORTICO_TRY(result.specs, read_field_specs(fields.empty() ? old_fields : fields,
                                               "additionalAnnotationFields"));
  } else {
    return invalid("`functionConfig` must be a `ConfigMap` or `SetAnnotations`");
  }
  if (result.annotations.empty()) return invalid("input annotation list cannot be empty");
  for (FieldSpec& built_in : built_in_specs()) result.specs.push_back(std::move(built_in));
  return result;
}

json::Value annotated(const json::Value& have,
                      const std::map<std::string, std::string>& annotations) {
  json::Value result = have;
  for (const auto& [key, text] : annotations) {
    const json::Value* old = have.find(key);
    if (old == nullptr || !old->is_string() || old->as_string() != text)
      result = result.with(key, text);
  }
  return result;
}

}  // namespace

Outcome set_annotations(krm::ResourceList list) {
  auto config = read_config(list.function_config);
  if (!config)
    return fail_framework(std::move(list), "failed to configure function: " + config.error().what);

  std::vector<json::Member> members;
  for (const auto& [key, text] : config->annotations) members.push_back({key, text});
  const std::string message =
      "set annotations: " + json::print(json::Value::object(std::move(members)));
  std::vector<krm::FunctionResult> results;
  for (krm::Item& item : list.items) {
    json::Value value = item.object.value();
    for (const FieldSpec& one : config->specs) {
      if (!one.selects(item.object)) continue;
      std::size_t count = 0;
      value = change_at(value, one, [&](const json::Value& have) {
        if (!have.is_object() && !(have.is_null() && one.create)) return have;
        ++count;
        return annotated(have, config->annotations);
      });
      if (count == 0) continue;
      krm::FunctionResult result =
          plain_at(item, fmt::format("{}", fmt::join(one.path, ".")), message);
      if (std::find(results.begin(), results.end(), result) == results.end())
        results.push_back(std::move(result));
    }
    if (value.same_as(item.object.value())) continue;
    if (auto updated = item.object.update(value); !updated)
      return fail_framework(std::move(list), updated.error().text());
  }
  std::stable_sort(results.begin(), results.end(), [](const auto& a, const auto& b) {
    return std::tie(a.file, a.index, a.field_path) < std::tie(b.file, b.index, b.field_path);
  });
  if (results.empty()) results.push_back(plain("no annotations applied"));
  for (krm::FunctionResult& result : results) list.results.push_back(std::move(result));
  return done(std::move(list));
}

}  // namespace portico::functions
