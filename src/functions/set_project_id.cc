#include "functions/set_project_id.h"

#include <algorithm>

#include "functions/internal/config.h"
#include "functions/internal/fields.h"
#include "functions/internal/outcome.h"
#include "functions/internal/package_files.h"

namespace portico::functions {

namespace {

constexpr std::string_view kSetter = "project-id";
constexpr std::string_view kAnnotation = "cnrm.cloud.google.com/project-id";
constexpr const char* kApplySetters = "gcr.io/kpt-fn/apply-setters:v0.2";

/// A single label before .cnrm.cloud.google.com, as in the groups of Config Connector kinds.
bool is_config_connector(const krm::Object& object) {
  std::string_view group = group_of(object);
  constexpr std::string_view kSuffix = ".cnrm.cloud.google.com";
  if (!group.ends_with(kSuffix)) return false;
  group.remove_suffix(kSuffix.size());
  return !group.empty() && group != "core" && group.find('.') == std::string_view::npos;
}

Result<Done> add_to_file(std::vector<krm::Item>& items, const std::string& path,
                         const std::string& id) {
  const auto at = std::find_if(items.begin(), items.end(),
                               [&](const krm::Item& item) { return full_path(item) == path; });
  if (at == items.end())
    return invalid(
        "file {} doesn't exist, please ensure the file specified in \"configPath\" exists and "
        "retry",
        path);
  if (!scalar_text(at->object.value()["data"][kSetter]).empty()) return Done{};
  return at->object.set({"data", std::string(kSetter)}, id);
}

Result<Done> add_setter(std::vector<krm::Item>& items, std::size_t kptfile, const std::string& id) {
  krm::Object& object = items[kptfile].object;
  const json::Value mutators = object.value()["pipeline"]["mutators"];
  for (std::size_t i = 0; i < mutators.items().size(); ++i) {
    const json::Value& function = mutators.items()[i];
    if (function["image"].as_string().find("apply-setters") == std::string_view::npos) continue;
    if (function["configMap"].is_object()) {
      if (!scalar_text(function["configMap"][kSetter]).empty()) return Done{};
      return object.set({"pipeline", "mutators", i, "configMap", std::string(kSetter)}, id);
    }
    const std::string_view file = function["configPath"].as_string();
    if (file.empty())
      return invalid(
          "unable to find `ConfigMap` or `configPath` as the `functionConfig` for apply-setters");
    return add_to_file(items, path_beside(full_path(items[kptfile]), file), id);
  }
  krm::Edit edit;
  edit.path = {"pipeline", "mutators", mutators.items().size()};
  edit.value = json::Value::object(
      {{"image", kApplySetters}, {"configMap", json::Value::object({{kSetter, id}})}});
  edit.key_order = {"image", "configMap"};
  return object.edit({edit});
}

Result<Done> change(std::vector<krm::Item>& items, const std::string& id) {
  bool found = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!is_kptfile(items[i].object)) continue;
    found = true;
    PORTICO_DO(add_setter(items, i, id), full_path(items[i]));
  }
  if (!found) return invalid("unable to find Kptfile");
  for (krm::Item& item : items) {
    if (!is_config_connector(item.object)) continue;
    if (item.object.value()["metadata"]["annotations"].contains(kAnnotation)) continue;
    PORTICO_DO(item.object.set({"metadata", "annotations", std::string(kAnnotation)}, id));
  }
  return Done{};
}

}  // namespace

Outcome set_project_id(krm::ResourceList list) {
  std::string id;
  if (list.function_config) id = texts(*list.function_config, "data")[std::string(kSetter)];
  if (id.empty()) return fail_framework(std::move(list), "`data.project-id` should not be empty");
  std::vector<krm::Item> items = list.items;
  if (auto changed = change(items, id); !changed)
    return fail_framework(std::move(list), "failed to set project-id: " + changed.error().text());
  list.items = std::move(items);
  return done(std::move(list));
}

}  // namespace portico::functions
