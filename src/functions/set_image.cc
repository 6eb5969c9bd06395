#include "functions/set_image.h"

#include <re2/re2.h>

#include "functions/internal/config.h"
#include "functions/internal/field_spec.h"
#include "functions/internal/fields.h"
#include "functions/internal/outcome.h"

namespace portico::functions {

namespace {

struct Config {
  std::string name, new_name, new_tag, digest;
  std::vector<FieldSpec> specs;
};

std::vector<FieldSpec> built_in_specs() {
  std::vector<FieldSpec> specs;
  const auto add = [&](std::string_view kind, std::string_view pod) {
    for (const std::string_view list : {"containers", "initContainers"})
      specs.push_back(field_spec("", "", kind, fmt::format("{}/{}/image", pod, list), false));
  };
  add("Pod", "spec");
  for (const std::string_view kind :
       {"Deployment", "StatefulSet", "ReplicaSet", "DaemonSet", "PodTemplate"})
    add(kind, kind == "PodTemplate" ? "template/spec" : "spec/template/spec");
  add("PodTemplate", "spec/template/spec");
  return specs;
}

Result<Config> read_config(const std::optional<krm::Object>& config) {
  Config result;
  std::map<std::string, std::string> data;
  if (!config) return invalid("FunctionConfig is missing. Expect `ConfigMap` or `SetImage`");
  if (is_config_map(*config)) {
    data = texts(*config, "data");
  } else if (is_fn_config(*config, "SetImage")) {
    for (const json::Member& member : config->value()["image"].members())
      data.emplace(member.name(), scalar_text(member.value));
    PORTICO_TRY(result.specs, read_field_specs(config->value()["additionalImageFields"],
                                               "additionalImageFields"));
  } else {
    return invalid("unknown functionConfig Kind={} ApiVersion={}, expect `ConfigMap` or `SetImage`",
                   config->kind(), config->api_version());
  }
  for (const auto& [key, value] : data) {
    if (key == "name") {
      result.name = value;
    } else if (key == "newName") {
      result.new_name = value;
    } else if (key == "newTag") {
      result.new_tag = value;
    } else if (key == "digest") {
      result.digest = value;
    } else {
      return invalid("ConfigMap has wrong field name {}", key);
    }
  }
  if (result.name.empty()) return invalid("must specify `name`");
  if (result.new_name.empty() && result.new_tag.empty() && result.digest.empty())
    return invalid("must specify one of `newName`, `newTag`, or `digest`");
  for (FieldSpec& one : built_in_specs()) result.specs.push_back(std::move(one));
  return result;
}

/// Replaces the parts of the image that the config sets. Digest and tag replace each
/// other.
std::string replaced(const std::string& image, const Config& config) {
  std::size_t name_end = image.find('@');
  if (name_end == std::string::npos) {
    const std::size_t slash = image.rfind('/');
    name_end = image.find(':', slash == std::string::npos ? 0 : slash);
  }
  name_end = std::min(name_end, image.size());
  const std::string name = config.new_name.empty() ? image.substr(0, name_end) : config.new_name;
  if (!config.digest.empty()) return name + "@" + config.digest;
  if (!config.new_tag.empty()) return name + ":" + config.new_tag;
  return name + image.substr(name_end);
}

}  // namespace

Outcome set_image(krm::ResourceList list) {
  const auto config = read_config(list.function_config);
  if (!config) {
    // The catalog's function reports it twice, and results are compared.
    Outcome outcome = fail(std::move(list), config.error().text());
    outcome.list.results.push_back(info("function is terminated: " + config.error().text()));
    outcome.list.results.back().severity = "error";
    return outcome;
  }
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 pattern(
      fmt::format("^{}(:[a-zA-Z0-9_.{{}}-]*)?(@sha256:[a-zA-Z0-9_.{{}}-]*)?$", config->name),
      options);
  if (!pattern.ok()) {
    return fail(std::move(list), fmt::format("invalid regular expression \"{}\" in `name`: {}",
                                             config->name, pattern.error()));
  }
  std::size_t count = 0;
  for (krm::Item& item : list.items) {
    json::Value value = item.object.value();
    for (const FieldSpec& spec : config->specs) {
      if (!spec.selects(item.object)) continue;
      value = change_at(value, spec, [&](const json::Value& have) -> json::Value {
        const std::string image(have.as_string());
        if (!RE2::PartialMatch(image, pattern)) return have;
        std::string changed = replaced(image, *config);
        if (changed != image) ++count;
        return changed;
      });
    }
    if (value.same_as(item.object.value())) continue;
    if (auto updated = item.object.update(value); !updated)
      return fail(std::move(list), updated.error().text());
  }
  list.results.push_back(info(fmt::format("summary: updated a total of {} image(s)", count)));
  return done(std::move(list));
}

}  // namespace portico::functions
