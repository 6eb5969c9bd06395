#include "functions/ensure_name_substring.h"

#include <set>

#include "functions/internal/config.h"
#include "functions/internal/depends_on.h"
#include "functions/internal/field_spec.h"
#include "functions/internal/fields.h"
#include "functions/internal/name_references.h"
#include "functions/internal/outcome.h"

namespace portico::functions {

namespace {

struct Config {
  std::string substring;
  bool append = false;
  std::vector<FieldSpec> specs;

  std::string named(const std::string& name) const {
    if (name.find(substring) != std::string::npos) return name;
    return append ? name + substring : substring + name;
  }
};

Result<Config> read_config(const std::optional<krm::Object>& config) {
  Config result;
  if (!config)
    return invalid("FunctionConfig is missing, expect `ConfigMap` or `EnsureNameSubstring`");
  std::string mode = "prepend";
  if (is_config_map(*config)) {
    const auto data = texts(*config, "data");
    if (data.size() != 1)
      return invalid("only 1 entry is allowed in the ConfigMap, but got: {}", data.size());
    mode = data.begin()->first;
    result.substring = data.begin()->second;
  } else if (is_fn_config(*config, "EnsureNameSubstring")) {
    const json::Value& value = config->value();
    result.substring = scalar_text(value["substring"]);
    if (value.contains("editMode")) mode = scalar_text(value["editMode"]);
    const bool old = value["additionalNameFields"].empty();
    PORTICO_TRY(result.specs, read_field_specs(value[old ? "fieldSpecs" : "additionalNameFields"],
                                               "additionalNameFields"));
  } else {
    return invalid(
        "unknown functionConfig Kind={} ApiVersion={}, expect `ConfigMap` or "
        "`EnsureNameSubstring`",
        config->kind(), config->api_version());
  }
  if (mode != "prepend" && mode != "append")
    return invalid("unknown editMode: {}, only prepend and append are allowed", mode);
  if (result.substring.empty()) return invalid("the substring must not be empty");
  result.append = mode == "append";
  return result;
}

bool keeps_name(const krm::Object& object) {
  return object.kind() == "CustomResourceDefinition" || object.kind() == "APIService" ||
         object.kind() == "Namespace" || object.kind() == "Kptfile";
}

/// A dependency without its namespace, which is ignored in comparisons.
using Known = std::set<std::tuple<std::string, std::string, std::string>>;  // group, kind, name

json::Value renamed(const krm::Object& object, const Config& config) {
  const auto change = [&](const json::Value& have) -> json::Value {
    if (!have.is_string() || have.as_string().empty()) return have;
    const std::string now = config.named(std::string(have.as_string()));
    return now == have.as_string() ? have : json::Value(now);
  };
  json::Value value = object.value();
  for (const FieldSpec& spec : config.specs)
    if (spec.selects(object)) value = change_at(value, spec, change);
  if (keeps_name(object)) return value;
  const FieldPath name{"metadata", "name"};
  return change_at(value, name, Missing::kSkip, change);
}

}  // namespace

Outcome ensure_name_substring(krm::ResourceList list) {
  const auto config = read_config(list.function_config);
  if (!config)
    return fail_framework(std::move(list),
                          "failed to configure function: " + config.error().text());
  Renames renames;
  Known known;
  for (const krm::Item& item : list.items) {
    const krm::Object& object = item.object;
    const std::string name(object.name());
    if (keeps_name(object)) continue;
    known.emplace(group_of(object), object.kind(), name);
    const std::string now = config->named(name);
    if (!name.empty() && now != name)
      renames.emplace(std::tuple(std::string(object.kind()), rename_scope(object), name), now);
  }
  for (krm::Item& item : list.items) {
    json::Value value = renamed(item.object, *config);
    value = with_dependencies(value, [&](Dependency& one) {
      if (known.contains({one.group, one.kind, one.name})) one.name = config->named(one.name);
    });
    value = with_references(item.object, value, renames);
    if (value.same_as(item.object.value())) continue;
    if (auto updated = item.object.update(value); !updated)
      return fail_framework(std::move(list), updated.error().text());
  }
  return done(std::move(list));
}

}  // namespace portico::functions
