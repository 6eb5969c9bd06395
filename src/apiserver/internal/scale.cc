#include "apiserver/internal/scale.h"

#include <span>

namespace portico::apiserver {

using json::Value;

namespace {

const Value& at(const Value& object, std::string_view path) {
  const Value* out = &object;
  for (const std::string& name : path_names(path)) out = &(*out)[name];
  return *out;
}

}  // namespace

std::vector<std::string> path_names(std::string_view path) {
  std::vector<std::string> out;
  if (path.starts_with('.')) path.remove_prefix(1);
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    out.emplace_back(path.substr(0, dot));
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  return out;
}

Value scale_of(const Value& object, const kubeapi::Scale& paths) {
  Value metadata = Value::object();
  for (const char* field : {"creationTimestamp", "name", "namespace", "resourceVersion", "uid"})
    if (const Value* value = object["metadata"].find(field))
      metadata = metadata.with(field, *value);
  Value spec = Value::object();
  if (const std::int64_t wanted = at(object, paths.spec_replicas).as_int(); wanted != 0)
    spec = spec.with("replicas", wanted);
  Value status = Value::object({{"replicas", at(object, paths.status_replicas).as_int()}});
  if (!paths.label_selector.empty())
    if (const std::string_view text = at(object, paths.label_selector).as_string(); !text.empty())
      status = status.with("selector", text);
  return Value::object({{"apiVersion", "autoscaling/v1"},
                        {"kind", "Scale"},
                        {"metadata", std::move(metadata)},
                        {"spec", std::move(spec)},
                        {"status", std::move(status)}});
}

Value with_scale(const Value& object, const Value& scale, const kubeapi::Scale& paths) {
  const std::vector<std::string> names = path_names(paths.spec_replicas);
  const std::vector<std::string_view> path(names.begin(), names.end());
  return object.with_at(std::span<const std::string_view>(path),
                        scale["spec"]["replicas"].as_int());
}

}  // namespace portico::apiserver
