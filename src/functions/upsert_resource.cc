#include "functions/upsert_resource.h"

#include <array>

#include "functions/internal/config.h"
#include "functions/internal/fields.h"
#include "functions/internal/outcome.h"
#include "krm/meta.h"

namespace portico::functions {

namespace {

constexpr std::string_view kTargetPath = "config.kubernetes.io/target-path";
/// Annotations for a resource's location or function: not part of the resource itself.
constexpr std::array<std::string_view, 8> kNotOwn{kTargetPath,
                                                  "internal.config.kubernetes.io/index",
                                                  "internal.config.kubernetes.io/seqindent",
                                                  "config.kubernetes.io/function",
                                                  "config.k8s.io/function",
                                                  "config.kubernetes.io/path",
                                                  "config.kubernetes.io/index",
                                                  "internal.config.kubernetes.io/path"};

bool is_function(const krm::Object& object) {
  const json::Value& annotations = object.value()["metadata"]["annotations"];
  return annotations.contains("config.kubernetes.io/function") ||
         annotations.contains("config.k8s.io/function");
}

json::Value cleaned(const json::Value& resource) {
  json::Value annotations = resource["metadata"]["annotations"];
  for (const std::string_view key : kNotOwn) annotations = annotations.without(key);
  if (annotations == resource["metadata"]["annotations"]) return resource;
  return annotations.empty() ? resource.without_at({"metadata", "annotations"})
                             : resource.with_at({"metadata", "annotations"}, annotations);
}

Result<Done> upsert(const json::Value& resource, const krm::Object* written,
                    std::vector<krm::Item>& items) {
  const std::string path = scalar_text(resource["metadata"]["annotations"][kTargetPath]);
  const krm::ObjectKey key = krm::object_key(resource);
  if (key.type.kind.empty() || key.name.empty())
    return invalid("a resource to upsert needs kind and metadata.name");
  const json::Value wanted = cleaned(resource);
  bool found = false;
  for (krm::Item& item : items) {
    if (is_function(item.object) || krm::object_key(item.object.value()) != key) continue;
    if (!path.empty() && item.file != path) continue;
    found = true;
    if (item.object.value() != wanted) PORTICO_DO(item.object.update(wanted));
  }
  if (found) return Done{};
  krm::Object added = written == nullptr ? krm::Object::from_value(wanted) : *written;
  PORTICO_DO(added.update(wanted));
  const json::Value& written_path =
      resource["metadata"]["annotations"]["config.kubernetes.io/path"];
  items.push_back({std::move(added), path.empty() ? scalar_text(written_path) : path, -1, "", -1});
  return Done{};
}

}  // namespace

Outcome upsert_resource(krm::ResourceList list) {
  if (is_not_given(list.function_config))
    return fail_framework(std::move(list),
                          "functionConfig is missing: it is the resource to upsert");
  const krm::Object config = *list.function_config;
  if (config.kind() == "List") {
    for (const json::Value& resource : config.value()["items"].items())
      if (auto done = upsert(resource, nullptr, list.items); !done)
        return fail_framework(std::move(list), done.error().text());
  } else if (auto done = upsert(config.value(), &config, list.items); !done) {
    return fail_framework(std::move(list), done.error().text());
  }
  return done(std::move(list));
}

}  // namespace portico::functions
