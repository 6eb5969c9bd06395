#include "functions/internal/config.h"

#include "json/value.h"

namespace portico::functions {

namespace {

constexpr std::string_view kLocalConfig = "config.kubernetes.io/local-config";

bool matches(std::string_view want, std::string_view have) {
  return want.empty() || have.empty() || want == have;
}

}  // namespace

std::map<std::string, std::string> texts(const krm::Object& object, std::string_view field) {
  std::map<std::string, std::string> result;
  const json::Value& map = object.value()[field];
  bool all_strings = true;
  for (const json::Member& member : map.members()) {
    result.emplace(member.name(), member.value.as_string());
    all_strings = all_strings && member.value.is_string();
  }
  if (all_strings) return result;
  object.visit_scalars([&](const krm::ScalarRef& scalar) {
    if (scalar.path.size() != 2 || scalar.value.is_string() || scalar.value.is_null()) return;
    const auto* top = std::get_if<std::string>(&scalar.path[0]);
    const auto* key = std::get_if<std::string>(&scalar.path[1]);
    if (top != nullptr && key != nullptr && *top == field) result[*key] = scalar.source;
  });
  return result;
}

bool is_config_map(const krm::Object& object) {
  return object.api_version() == "v1" && object.kind() == "ConfigMap";
}

bool is_fn_config(const krm::Object& object, std::string_view kind) {
  return group_of(object) == "fn.kpt.dev" && object.kind() == kind;
}

bool is_not_given(const std::optional<krm::Object>& config) {
  if (!config) return true;
  return is_config_map(*config) && config->name() == "function-input" &&
         config->value()["data"].empty();
}

bool is_local_config(const krm::Object& object) {
  const std::string_view value =
      object.value()["metadata"]["annotations"][kLocalConfig].as_string();
  return !value.empty() && value != "false";
}

bool is_gvk(const krm::Object& object, std::string_view group, std::string_view version,
            std::string_view kind) {
  return matches(group, group_of(object)) && matches(version, version_of(object)) &&
         matches(kind, object.kind());
}

std::string_view group_of(const krm::Object& object) {
  const std::string_view text = object.api_version();
  const std::size_t slash = text.find('/');
  return slash == std::string_view::npos ? std::string_view() : text.substr(0, slash);
}

std::string_view version_of(const krm::Object& object) {
  const std::string_view text = object.api_version();
  const std::size_t slash = text.find('/');
  return slash == std::string_view::npos ? text : text.substr(slash + 1);
}

}  // namespace portico::functions
