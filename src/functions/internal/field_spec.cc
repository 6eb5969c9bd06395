#include "functions/internal/field_spec.h"

#include <span>

#include "functions/internal/config.h"

namespace portico::functions {

namespace {

using Change = std::function<json::Value(const json::Value&)>;

json::Value descend(const json::Value& at, std::span<const std::string> path, bool create,
                    const Change& change) {
  if (at.is_array() && !path.empty()) {
    json::Value result = at;
    for (std::size_t i = 0; i < at.size(); ++i) {
      json::Value item = descend(at.items()[i], path, create, change);
      if (!item.same_as(at.items()[i])) result = result.with_item(i, std::move(item));
    }
    return result;
  }
  if (path.empty()) return change(at);
  if (!at.is_object() && !(at.is_null() && create)) return at;
  const json::Value* member = at.find(path.front());
  if (member == nullptr && !create) return at;
  const json::Value have = member == nullptr ? json::Value() : *member;
  json::Value changed = descend(have, path.subspan(1), create, change);
  return changed.same_as(have) ? at : at.with(path.front(), std::move(changed));
}

std::vector<std::string> split_path(std::string_view text) {
  std::vector<std::string> steps(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '/') {
      steps.back() += text[++i];
    } else if (text[i] == '/') {
      steps.emplace_back();
    } else {
      steps.back() += text[i];
    }
  }
  std::erase(steps, "");
  for (std::string& step : steps)
    if (step.ends_with("[]")) step.resize(step.size() - 2);
  return steps;
}

}  // namespace

bool FieldSpec::selects(const krm::Object& object) const {
  return (group.empty() || group == group_of(object)) &&
         (version.empty() || version == version_of(object)) &&
         (kind.empty() || kind == object.kind());
}

FieldSpec field_spec(std::string_view group, std::string_view version, std::string_view kind,
                     std::string_view path, bool create) {
  return {std::string(group), std::string(version), std::string(kind), split_path(path), create};
}

Result<std::vector<FieldSpec>> read_field_specs(const json::Value& list, std::string_view name) {
  std::vector<FieldSpec> specs;
  for (const json::Value& entry : list.items()) {
    FieldSpec one =
        field_spec(entry["group"].as_string(), entry["version"].as_string(),
                   entry["kind"].as_string(), entry["path"].as_string(), entry["create"].as_bool());
    if (one.path.empty()) return invalid("`{}` has an entry without `path`", name);
    specs.push_back(std::move(one));
  }
  return specs;
}

json::Value change_at(const json::Value& root, const FieldSpec& spec, const Change& change) {
  return descend(root, spec.path, spec.create, change);
}

}  // namespace portico::functions
